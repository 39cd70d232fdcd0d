// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_trial.c - which remedies verdicts advise, what --remedy may say, what a run cost,
 * and which remedy helps; what is said of it; which files are made cold.
 */
#include <fcntl.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture.h"
#include "collect/cold_cache.h"
#include "lib/complain.h"
#include "lib/jsonw.h"
#include "model/trial.h"
#include "test.h"
#include "view/trial.h"

#define BDI "/sys/class/bdi/254:16/read_ahead_kb"

static struct file *add_file(struct report *report, const char *path)
{
	struct file *file = report_add(report, path);

	file->page_size = 4096;
	file->snap.ino = report->nr_files;
	file->snap.dev_major = 254;
	file->snap.dev_minor = 16;
	strcpy(file->snap.bdi, "254:16");
	return file;
}

static struct verdict *add_verdict(struct report *report, const char *name, const char *command)
{
	struct verdict *v;

	report->verdicts = reallocarray(report->verdicts, report->nr_verdicts + 1, sizeof(*v));
	v = &report->verdicts[report->nr_verdicts++];
	*v = (struct verdict){ .name = name, .nr_files = 1,
			       .command = command ? strdup(command) : NULL };
	return v;
}

static const char *names(const struct remedies *remedies)
{
	static char out[1024];
	size_t i;

	*out = '\0';
	for (i = 0; i < remedies->nr; i++)
		snprintf(out + strlen(out), sizeof(out) - strlen(out), "%s%s", i ? "; " : "",
			 remedies->list[i].name);
	return out;
}

static void advised(void)
{
	struct report report = { .page_size = 4096 };
	struct remedies remedies = {};
	struct verdict *v;
	size_t i;

	add_file(&report, "/srv/a b");
	add_file(&report, "/srv/c");
	add_verdict(&report, "idle-file-holds-memory",
		    "dd if='/srv/it'\\''s old' iflag=nocache count=0 status=none");
	add_verdict(&report, "mmap-read-around", "echo 16 > " BDI);
	v = add_verdict(&report, "readahead-waste", "echo 16 > " BDI);
	v->nr_files = 2;
	v->worst[1] = 1;
	add_verdict(&report, "fsync-split", "echo 1280 > /sys/dev/block/254:16/queue/max_sectors_kb");
	/* A partition has the queue of its disk. */
	add_verdict(&report, "fsync-split", "echo 512 > /sys/dev/block/254:1/../queue/max_sectors_kb");
	add_verdict(&report, "working-set-too-large",
		    "echo 104857600 > /sys/fs/cgroup/a/b/memory.high");
	add_verdict(&report, "dirty-throttled", "sysctl -w vm.dirty_ratio=40");
	/* None of these can be put back, or is what it seems. */
	add_verdict(&report, "x", "echo 1 > /proc/sysrq-trigger");
	add_verdict(&report, "x", "echo 1 > /proc/sys/vm/drop_caches");
	add_verdict(&report, "x", "echo 1 > /sys/class/bdi/../../memory.high");
	add_verdict(&report, "x", "echo 1 > /sys/dev/block/../queue/max_sectors_kb");
	add_verdict(&report, "x", "echo 1 > /sys/dev/block/1:2/../queue/../../x/queue/max_sectors_kb");
	add_verdict(&report, "x", "echo 1 > " BDI "; reboot");
	add_verdict(&report, "x", "echo max > /sys/fs/cgroup/a/memory.high");
	add_verdict(&report, "x", "sysctl -w kernel.panic=1");
	add_verdict(&report, "x", "mkdir -p /sys/fs/cgroup/stream");
	remedies_of(&remedies, &report);
	CHECK_STR("each once, and none at the cost of others", names(&remedies),
		  "random for /srv/a b; read_ahead_kb=16 of 254:16; "
		  "random for /srv/a b and 1 more; max_sectors_kb=1280 of 254:16; "
		  "max_sectors_kb=512 of 254:1; dirty_ratio=40");
	CHECK_STR("all files of a verdict", remedies.list[2].place, "/srv/a b\n/srv/c");
	CHECK_STR("path of a setting", remedies.list[3].place,
		  "/sys/dev/block/254:16/queue/max_sectors_kb");
	CHECK_STR("of a partition", remedies.list[4].place,
		  "/sys/dev/block/254:1/../queue/max_sectors_kb");
	CHECK("what is others' is told", remedies.nr_untried == 3 &&
	      strstr(remedies.untried[0].why, "not this command's file") &&
	      strstr(remedies.untried[1].why, "holds for others"));
	CHECK_STR("with its command", remedies.untried[0].command,
		  "dd if='/srv/it'\\''s old' iflag=nocache count=0 status=none");
	remedies_free(&remedies);

	/* Of many the directory, or all. */
	for (i = 0; i < report.nr_verdicts; i++)
		free(report.verdicts[i].command);
	report.nr_verdicts = 0;
	v = add_verdict(&report, "mmap-read-around", NULL);
	v->nr_files = 1000;
	v->scope = SCOPE_DIRECTORY;
	v->place = strdup("/srv");
	v = add_verdict(&report, "filesystem-expansion", NULL);
	v->nr_files = 1000;
	v->scope = SCOPE_DEVICE;
	remedies_of(&remedies, &report);
	CHECK_STR("of many files", names(&remedies), "random for /srv/; random");
	remedies_free(&remedies);
	report_free(&report);
}

/* Readahead that is smaller than usual, of what is read in order. */
static void little(void)
{
	struct report report = { .page_size = 4096 };
	struct remedies remedies = {};
	struct file *file = add_file(&report, "/srv/a");

	know(&file->snap, PCINSPECT_DEVICE_BYTES, 8 << 20, PCINSPECT_DEMANDED_BYTES, 8 << 20, -1);
	report_set(&report, BDI, 128);
	remedies_of(&remedies, &report);
	CHECK("as usual", !remedies.nr);
	report_set(&report, BDI, 8);
	report.settings[0].value = 8;
	remedies_of(&remedies, &report);
	CHECK_STR("less", names(&remedies), "read_ahead_kb=128 of 254:16");
	remedies_free(&remedies);
	know(&file->snap, PCINSPECT_DEMANDED_BYTES, 1 << 20, -1);
	remedies_of(&remedies, &report);
	CHECK("less, and what is read is more than asked for", !remedies.nr);
	report_free(&report);
}

static const char *parsed(const char *text, const struct report *report)
{
	static char out[256];
	struct remedies remedies = {};
	const char *wrong = remedy_parse(&remedies, text, report);

	snprintf(out, sizeof(out), "%s", wrong ?: names(&remedies));
	remedies_free(&remedies);
	return out;
}

static void parsing(void)
{
	struct report report = {}, none = {};

	add_file(&report, "/srv/a");
	CHECK_STR("advice", parsed("random", &report), "random");
	CHECK_STR("advice for a file", parsed("dontneed=/srv/b", &report), "dontneed for /srv/b");
	CHECK_STR("a setting of the device", parsed("read_ahead_kb=512", &report),
		  "read_ahead_kb=512 of 254:16");
	CHECK_STR("another", parsed("max_sectors_kb=64", &report), "max_sectors_kb=64 of 254:16");
	CHECK_STR("of the machine", parsed("dirty_background_bytes=4096", &report),
		  "dirty_background_bytes=4096");
	CHECK_STR("of a cgroup of its own", parsed("memory.low=1000000", &report),
		  "memory.low=1000000");
	CHECK_STR("and more", parsed("memory.max=1000000", &report), "memory.max=1000000");
	CHECK_STR("drop", parsed("drop=/srv/old", &report), "drop=/srv/old");
	CHECK_STR("no such device", parsed("read_ahead_kb=512", &none),
		  "CMD uses no file of a disk that has it");
	CHECK_STR("before there is a report", parsed("read_ahead_kb=512", NULL), "");
	CHECK_STR("unknown", parsed("swappiness=1", NULL), "unknown");
	CHECK_STR("unknown of vm", parsed("dirty_x=1", NULL), "unknown");
	CHECK_STR("no value", parsed("read_ahead_kb", NULL), "unknown, or lacks its value");
	CHECK_STR("no number", parsed("read_ahead_kb=8k", NULL), "not a whole number");
	CHECK_STR("nothing", parsed("", NULL), "unknown, or lacks its value");
	CHECK_STR("a relative file", parsed("drop=old", NULL),
		  "needs the absolute path of a file");
	CHECK_STR("advice for a relative file", parsed("random=x", NULL),
		  "the files it is for have to be an absolute path");
	report_free(&report);
}

static void costing(void)
{
	struct report report = { .page_size = 4096 };
	struct pcinspect_fsync calls[2] = { { .duration_ns = 7 }, { .duration_ns = 5 } };
	struct device *device = &report.devices[0];
	struct costs costs;
	struct file *file;

	file = add_file(&report, "/srv/a");
	know(&file->snap, PCINSPECT_DEVICE_BYTES, 8192, PCINSPECT_DIRECT_READ_BYTES, 512,
	     PCINSPECT_REFAULT_PAGES, 3, PCINSPECT_FSYNCS_TOTAL, 2,
	     PCINSPECT_DEVICE_WRITE_BYTES, 0, PCINSPECT_WRITTEN_PAGES, 0, -1);
	file->fsyncs = malloc(sizeof(calls));
	memcpy(file->fsyncs, calls, sizeof(calls));
	file->nr_fsyncs = 2;
	report.nr_devices = 1;
	device->row.dev_major = 254;
	device->row.dev_minor = 16;
	device->read_requests = 11;
	device->write_requests = 100;
	costs_of(&costs, &report, true);
	CHECK("bytes", costs.bytes_known && costs.read_bytes == 8704 && !costs.written_bytes);
	CHECK("requests: it did not write, others did",
	      costs.requests_known && costs.requests == 11);
	CHECK("refaults, fsync", costs.refault_pages == 3 && costs.fsyncs == 2 &&
	      costs.refault_known && costs.fsyncs_known && costs.fsync_known &&
	      costs.fsync_ns == 12);
	know(&file->snap, PCINSPECT_DEVICE_WRITE_BYTES, 4096, PCINSPECT_FSYNCS_TOTAL, 3, -1);
	costs_of(&costs, &report, true);
	CHECK("it writes as well", costs.written_bytes == 4096 && costs.requests == 111);
	CHECK("a call that is not kept", costs.fsyncs_known && !costs.fsync_known);
	device->silent = true;
	costs_of(&costs, &report, true);
	CHECK("a disk that counts nothing", !costs.requests_known);
	device->silent = false;
	/* Of NFS nobody tells the bytes: the pages do. */
	file = add_file(&report, "/nfs/a");
	file->snap.dev_major = 0;
	know(&file->snap, PCINSPECT_INSERTED_WRITE, 1, PCINSPECT_INSERTED_SYNC, 4,
	     PCINSPECT_WRITTEN_PAGES, 1, -1);
	costs_of(&costs, &report, true);
	CHECK("pages for bytes", costs.bytes_known && costs.read_bytes == 8704 + 16384 &&
	      costs.written_bytes == 8192 && costs.requests_known);
	/* Deleted files of a filesystem of which none is left: whose, is not known; or CMD's. */
	file = report_add_gone(&report);
	file->page_size = 4096;
	file->snap.dev_major = 254;
	file->snap.dev_minor = 32;
	file->snap.flags = PCINSPECT_F_LEDGER;
	know(&file->snap, PCINSPECT_DEVICE_BYTES, 1 << 20, PCINSPECT_REFAULT_PAGES, 0,
	     PCINSPECT_FSYNCS_TOTAL, 0, PCINSPECT_DEVICE_WRITE_BYTES, 0,
	     PCINSPECT_WRITTEN_PAGES, 0, -1);
	device = &report.devices[report.nr_devices++];
	device->row.dev_major = 254;
	device->row.dev_minor = 32;
	device->read_requests = 50;
	costs_of(&costs, &report, true);
	CHECK("files that are gone, perhaps others'", costs.bytes_known &&
	      costs.read_bytes == 8704 + 16384 && costs.requests == 111);
	file->unmounted = true;
	costs_of(&costs, &report, true);
	CHECK("on a filesystem that CMD unmounted", costs.bytes_known &&
	      costs.read_bytes == 8704 + 16384 + (1 << 20) && costs.requests == 161);
	/* CMD deletes what its last run had made: those files have no ledger now. */
	file = report_add_gone(&report);
	file->page_size = 4096;
	file->snap.dev_major = 254;
	file->snap.dev_minor = 16;
	know(&file->snap, PCINSPECT_INSERTED, 0, PCINSPECT_REMOVED, 1024, -1);
	costs_of(&costs, &report, true);
	CHECK("files that were only deleted", costs.bytes_known &&
	      costs.read_bytes == 8704 + 16384 + (1 << 20));
	know(&file->snap, PCINSPECT_INSERTED, 1, -1);
	costs_of(&costs, &report, true);
	CHECK("and read before that, and not counted", !costs.bytes_known);
	know(&file->snap, PCINSPECT_INSERTED, 0, -1);
	file = add_file(&report, "/x");
	costs_of(&costs, &report, true);
	CHECK("nothing is known of one", !costs.bytes_known && !costs.refault_known &&
	      !costs.fsyncs_known && !costs.fsync_known);
	report_free(&report);
}

/* Only what the run's tasks touched is made cold, and only if it is that inode. */
static void making_cold(void)
{
	struct report report = { .page_size = 4096 };
	char path[] = "/tmp/pcinspect-cold-XXXXXX";
	struct pcinspect_snapshot a = { .ino = 1, .i_generation = 2 }, b = a;
	int fd = mkstemp(path), null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct cold cold = {};
	struct file *file;

	file = add_file(&report, path);
	complain("none", "yet");
	cold_add(&cold, &report, null);
	CHECK("a file that only others used", !cold.nr && strstr(complain_last(), "yet"));
	file->snap.flags = PCINSPECT_F_TOUCHED;
	cold_add(&cold, &report, null);
	CHECK("a file of which the module knows nothing", !cold.nr &&
	      strstr(complain_last(), "another file has its name"));
	file->snap.flags |= PCINSPECT_F_BLOCK_DEVICE;
	complain("none", "yet");
	cold_add(&cold, &report, null);
	CHECK("metadata of a filesystem", !cold.nr && strstr(complain_last(), "yet"));
	know(&file->snap, PCINSPECT_DEMANDED_BYTES, 1, -1);
	cold_add(&cold, &report, null);
	CHECK("a device that is read", !cold.nr && strstr(complain_last(), "is a block device"));
	complain("none", "yet");
	cold_add(&cold, &report, null);
	CHECK("is told of once", strstr(complain_last(), "yet") != NULL);
	file->snap.flags = PCINSPECT_F_TOUCHED;
	b.i_generation++;
	CHECK("a number that was given again",
	      !snapshot_compare(&a, &a) && snapshot_compare(&a, &b));
	file->snap.flags = 0;
	file = report_add_name(&report);
	file->path = strdup(path);
	file->snap.flags = PCINSPECT_F_TOUCHED;
	complain("none", "yet");
	cold_add(&cold, &report, null);
	CHECK("a file that was only mapped, of which nothing was counted",
	      strstr(complain_last(), "another file has its name") != NULL);
	file->snap.flags = 0;
	report.files[0].snap.flags = PCINSPECT_F_TOUCHED;
	unlink(path);
	CHECK("a link in its place", !symlink("/etc/passwd", path));
	cold_add(&cold, &report, null);
	CHECK("is not followed", !cold.nr && strstr(complain_last(), "not made cold"));
	unlink(path);
	close(fd);
	close(null);
	cold_free(&cold);
	report_free(&report);
}

/* Judge one remedy; bytes in MiB. */
static enum outcome judged(unsigned int one, unsigned int two, unsigned int with, int requests)
{
	struct remedy remedy = { .name = "random", .knob = "random" };
	struct trial trial = { .nr = 3 };
	unsigned int mib[] = { one, two, with };
	size_t i;

	for (i = 0; i < 3; i++)
		trial.attempts[i].costs = (struct costs){
			.bytes_known = true, .requests_known = requests >= 0, .scale = 1,
			.read_bytes = (uint64_t)mib[i] << 20,
			.requests = i < 2 ? 1000 : requests,
		};
	trial.attempts[2].remedy = &remedy;
	trial_judge(&trial);
	CHECK("best is what helps, or none",
	      (trial.best == 2) == (trial.attempts[2].outcome == OUTCOME_HELPS));
	return trial.attempts[2].outcome;
}

/* A service: MiB read, and asked for, at first, last, and with the remedy; 0: unknown. */
static enum outcome served(const unsigned int read[3], const unsigned int asked[3])
{
	struct remedy remedy = { .name = "x", .knob = "x" };
	struct trial trial = { .nr = 3, .service = "process 1", .seconds = 2 };
	size_t i;

	for (i = 0; i < 3; i++)
		trial.attempts[i].costs = (struct costs){
			.bytes_known = true, .scale = 1, .status = -1,
			.read_bytes = (uint64_t)read[i] << 20,
			.asked_known = asked[i], .asked_bytes = (uint64_t)asked[i] << 20,
			.left_pages = PCINSPECT_UNKNOWN,
		};
	trial.attempts[2].remedy = &remedy;
	trial_judge(&trial);
	return trial.attempts[2].outcome;
}

static void serving(void)
{
	static const unsigned int even[] = { 100, 100, 100 }, more[] = { 100, 120, 200 },
		less[] = { 100, 100, 10 }, none[] = { 100, 100, 0 };

	CHECK("service: fewer bytes for as much", served(less, even) == OUTCOME_HELPS);
	CHECK("service: fewer bytes for fewer", served(less, less) == OUTCOME_NO_DIFFERENCE);
	CHECK("service: as many bytes for more", served(even, more) == OUTCOME_HELPS);
	CHECK("service: more bytes for more", served(more, more) == OUTCOME_NO_DIFFERENCE);
	CHECK("service: as many bytes for fewer", served(even, less) == OUTCOME_COSTS_MORE);
	CHECK("service: nobody knows what was asked for", served(less, none) == OUTCOME_UNKNOWN);
}

static void judging(void)
{
	CHECK("fewer bytes", judged(100, 100, 10, 1000) == OUTCOME_HELPS);
	CHECK("requests unknown", judged(100, 100, 10, -1) == OUTCOME_HELPS);
	CHECK("the same", judged(100, 100, 100, 1000) == OUTCOME_NO_DIFFERENCE);
	CHECK("less than a twentieth", judged(100, 100, 97, 1000) == OUTCOME_NO_DIFFERENCE);
	CHECK("no more than two runs differ by", judged(100, 160, 60, 1000) == OUTCOME_NO_DIFFERENCE);
	CHECK("more than they differ by", judged(100, 110, 60, 1000) == OUTCOME_HELPS);
	CHECK("fewer requests", judged(100, 100, 100, 100) == OUTCOME_HELPS);
	CHECK("fewer requests, 5 % more bytes", judged(100, 100, 105, 100) == OUTCOME_HELPS);
	CHECK("fewer requests, 6 % more bytes", judged(100, 100, 106, 100) == OUTCOME_COSTS_MORE);
	CHECK("more bytes than the cheaper one, as these two differ",
	      judged(100, 300, 110, 1) == OUTCOME_NO_DIFFERENCE);
	CHECK("more bytes than the cheaper one, never the better one",
	      judged(100, 110, 109, 0) == OUTCOME_NO_DIFFERENCE);
	CHECK("more bytes than either", judged(100, 110, 112, 0) == OUTCOME_COSTS_MORE);
	CHECK("fewer bytes, many times the requests",
	      judged(100, 100, 90, 30000) == OUTCOME_COSTS_MORE);
	CHECK("nothing to save", judged(0, 0, 0, 1000) == OUTCOME_NO_DIFFERENCE);
	CHECK("nothing but what it costs", judged(0, 0, 1, 1000) == OUTCOME_COSTS_MORE);
}

/* The best of those that help, past those that were not applied; what is said of it. */
static void choosing(void)
{
	struct trial trial = { .nr = 6, .files = 2 };
	static const unsigned int mib[] = { 100, 101, 50, 10, 0, 0 };
	struct json_object *all, *json, *runs, *one, *best, *value;
	char *written = NULL;
	struct jsonw w;
	size_t size;
	FILE *to;
	struct output out = { .bytes = true };
	char text[4096];
	int saved, file;
	ssize_t n;
	size_t i;

	remedies_add(&trial.remedies, REMEDY_SETTING, "read_ahead_kb", "16", BDI);
	remedies_add(&trial.remedies, REMEDY_ADVICE, "random", NULL, "/srv/a\n/srv/b");
	remedies_add(&trial.remedies, REMEDY_CGROUP, "memory.high", "1", NULL);
	remedies_add(&trial.remedies, REMEDY_DROP, "drop", NULL, "/srv/x y");
	for (i = 0; i < 6; i++) {
		trial.attempts[i].costs = (struct costs){
			.bytes_known = true, .requests_known = true, .fsync_known = true,
			.read_bytes = (uint64_t)mib[i] << 20, .requests = 10, .scale = 1,
		};
		trial.attempts[i].remedy = i < 2 ? NULL : &trial.remedies.list[i - 2];
	}
	trial.attempts[4].outcome = OUTCOME_NOT_APPLIED;
	trial.attempts[5].outcome = OUTCOME_CMD_FAILED;
	trial_judge(&trial);
	CHECK("the best one that helps", trial.best == 3);
	CHECK("another helps", trial.attempts[2].outcome == OUTCOME_HELPS);
	CHECK("what is no measurement is not judged",
	      trial.attempts[4].outcome == OUTCOME_NOT_APPLIED &&
	      trial.attempts[5].outcome == OUTCOME_CMD_FAILED);

	fflush(stdout);
	saved = dup(1);
	file = memfd_create("stdout", 0);
	dup2(file, 1);
	trial_print(&trial, &out);
	fflush(stdout);
	dup2(saved, 1);
	n = pread(file, text, sizeof(text) - 1, 0);
	text[n > 0 ? n : 0] = '\0';
	close(saved);
	close(file);
	CHECK("it is named", strstr(text, "\nbest: random for /srv/a and 1 more: 90 % fewer bytes, "
				     "0 % fewer requests\n") != NULL);
	CHECK("how to do it", strstr(text, "MADV_RANDOM") != NULL);
	CHECK("what was not run is not known", strstr(text, "? not applied") != NULL);

	to = open_memstream(&written, &size);
	jsonw_begin(&w, to, false);
	jsonw_open(&w, NULL, '{');
	json_trial(&w, &trial);
	jsonw_end(&w);
	fclose(to);
	all = json_tokener_parse(written);
	free(written);
	json_object_object_get_ex(all, "try", &json);
	json_object_object_get_ex(json, "runs", &runs);
	json_object_object_get_ex(json, "best", &best);
	CHECK("JSON: best", json_object_get_int(best) == 3);
	CHECK("JSON: runs", json_object_array_length(runs) == 6);
	one = json_object_array_get_idx(runs, 0);
	json_object_object_get_ex(one, "remedy", &value);
	CHECK("JSON: without any", !value);
	one = json_object_array_get_idx(runs, 4);
	json_object_object_get_ex(one, "read_bytes", &value);
	CHECK("JSON: not run", !value);
	one = json_object_array_get_idx(runs, 3);
	json_object_object_get_ex(one, "read_bytes", &value);
	CHECK("JSON: bytes", json_object_get_int64(value) == 10 << 20);
	json_object_object_get_ex(one, "outcome", &value);
	CHECK_STR("JSON: outcome", json_object_get_string(value), "helps");
	json_object_put(all);
	remedies_free(&trial.remedies);
}

/* One answer, whatever was found and tried. */
static void concluding(void)
{
	struct trial trial = { .nr = 2, .files = 3, .best = NO_ATTEMPT };
	struct untried untried[2] = { { "dd if=/srv/a", "it is others'" } };
	struct output out = { .bytes = true };
	const char *text;

	capture();
	trial_print(&trial, &out);
	text = captured();
	CHECK("nothing to try", strstr(text, "\nnone: no verdict has a remedy that can be tried (") &&
	      strstr(text, "\n2 runs of CMD, its 3 files emptied from the cache before each\n"));
	trial.remedies.untried = untried;
	trial.remedies.nr_untried = 1;
	trial.attempts[1].costs.left_pages = 9;
	capture();
	trial_print(&trial, &out);
	text = captured();
	CHECK("a remedy that was not tried", !strstr(text, "no verdict") &&
	      strstr(text, "\nnone: not tried, as the remedy would change what others use (") &&
	      strstr(text, "none: ") == strstr(text, "none: not tried"));
	CHECK("what stayed", strstr(text, " before each, but for at most 9 pages that others map or lock\n") != NULL);
	trial.nr = 3;
	capture();
	trial_print(&trial, &out);
	CHECK("one that does not help", strstr(captured(), "\nnone: no remedy saves more ") != NULL);
}

int main(void)
{
	concluding();
	advised();
	little();
	parsing();
	costing();
	making_cold();
	judging();
	serving();
	choosing();
	return test_failures != 0;
}
