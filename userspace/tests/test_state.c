// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_state.c - a state goes into markers and comes back the same; markers that
 * are missing, cut, doubled or foreign give no state and no crash. And: events
 * are matched with files, by formats as kernels have them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "test.h"
#include "trace/inode_events.h"
#include "trace/state.h"
#include "view/json_report.h"

#define MAX_MARKERS 256

static struct {
	char data[sizeof(struct state_chunk) + STATE_CHUNK];
	size_t size;
} markers[MAX_MARKERS];
static size_t nr_markers;

/* A report of two files, one with all sections, one that is gone. */
static void fill(struct report *report)
{
	struct file *file;
	size_t i;

	memset(report, 0, sizeof(*report));
	report->page_size = 16384;
	strcpy(report->kernel, "6.12.0-other");
	report->time_ns = 12345;
	report->wall_ns = 1763823845123456789;
	report->losses.known = true;
	report->losses.hooks_missing = 2;
	report_set(report, "/proc/sys/vm/dirty_expire_centisecs", 3000);
	report_set(report, "/sys/fs/cgroup/a.slice/memory.max", 1 << 20);
	report_set(report, "/sys/fs/cgroup/a.slice/memory.high", -1);
	file = report_add(report, "/mnt/odd\n\xff name");
	file->real_path = strdup("/upper/x");
	file->memcg_paths[0] = strdup("/a.slice");
	file->snap.ino = 13;
	file->snap.dev_major = 254;
	file->snap.dev_minor = 16;
	strcpy(file->snap.bdi, "254:16");
	strcpy(file->snap.fs, "ext4");
	file->snap.flags = PCINSPECT_F_PAGES | PCINSPECT_F_EXPLICIT | PCINSPECT_F_MEMCG |
			   PCINSPECT_F_WRITEBACK;
	know(&file->snap, PCINSPECT_CACHED, 77, PCINSPECT_DEMANDED_BYTES, 4096,
	     PCINSPECT_DIRTIED_PAGES, 3, -1);
	file->snap.memcgs[0].id = 5;
	file->snap.memcgs[0].pages = 77;
	file->who = calloc(1, sizeof(*file->who));
	file->who->evictors[0] = (struct pcinspect_culprit){
		.pid = 7, .comm = "cat", .pages = 5, .ino = 99, .dev_major = 254 };
	file->who->removers_other_pages = 6;
	file->who->counted.known = 1;
	file->nr_windows = 20;
	file->windows = calloc(file->nr_windows, sizeof(*file->windows));
	for (i = 0; i < file->nr_windows; i++)
		file->windows[i].index = i * 64;
	file->nr_fsyncs = 2;
	file->fsyncs = calloc(file->nr_fsyncs, sizeof(*file->fsyncs));
	file = report_add(report, NULL);
	file->snap.ino = 14;
	file->gone = true;
	for (i = 98; i < 100; i++) {
		file = report_add_name(report);
		file->snap.ino = i;
		file->snap.dev_major = 254;
		file->path = strdup("/backup");
	}
	file = report_add_name(report);
	file->snap.ino = 101;
	file->path = strdup("/idle");
	file->memcg_paths[0] = strdup("/a.slice");
	file->held = true;
}

/* Take the markers of a report apart again. */
static void record(const struct report *report, uint32_t *serial)
{
	int ends[2], size = 1 << 20;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends))
		exit(1);
	setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	CHECK("a state is written", !state_write(ends[0], report, serial, NULL, NULL));
	while (nr_markers < MAX_MARKERS) {
		ssize_t n = read(ends[1], markers[nr_markers].data,
				 sizeof(markers[nr_markers].data));

		if (n <= 0)
			break;
		markers[nr_markers++].size = n;
	}
	close(ends[0]);
	close(ends[1]);
}

/* Read all markers but @without; @cut bytes of each are missing. */
static bool replay(struct report *report, size_t without, size_t cut)
{
	struct state_reader *reader = state_reader_new(UINT64_MAX);
	bool found;
	size_t i;

	for (i = 0; i < nr_markers; i++)
		if (i != without)
			state_reader_take(reader, markers[i].data, markers[i].size - cut);
	memset(report, 0, sizeof(*report));
	found = state_reader_last(reader, report);
	state_reader_free(reader);
	return found;
}

static void states(void)
{
	struct report report, back;
	char *was, *is;
	uint32_t serial = 0;
	struct memcg_limit limit;
	uint64_t value;
	size_t i, k, wrong = 0, refused = 0;
	bool differs;

	fill(&report);
	record(&report, &serial);
	CHECK("it takes several markers", nr_markers > 6);
	CHECK("it comes back", replay(&back, MAX_MARKERS, 0));
	CHECK("settings, and which are unknown", report_setting(&back,
	      "/proc/sys/vm/dirty_expire_centisecs", &value) && value == 3000 &&
	      back.nr_settings == 2);
	CHECK("the limit of a cgroup", report_memcg_limit(&back, "/a.slice/b", false, &limit) &&
	      limit.bytes == 1 << 20 && limit.len == 8 && !strcmp(limit.knob, "max"));
	report_set(&back, "/sys/fs/cgroup/a.slice/memory.peak", 700 << 10);
	CHECK("a limit that is far away", !report_memcg_limit(&back, "/a.slice/b", false, &limit) &&
	      report_memcg_limit(&back, "/a.slice/b", true, &limit));
	CHECK("pages are as large as those of its machine", back.page_size == 16384 &&
	      back.files[0].page_size == 16384);
	CHECK("names of evictors, and of who holds memory", back.nr_names == 2 &&
	      !back.names[0].held && back.names[1].held &&
	      !strcmp(back.names[1].memcg_paths[0], "/a.slice"));
	report_set(&report, "/sys/fs/cgroup/a.slice/memory.peak", 700 << 10);
	report.recorded = true;
	was = report_json(&report, false);
	is = report_json(&back, false);
	CHECK("the same, to the byte", !strcmp(was, is));
	free(was);
	free(is);
	report_free(&back);

	for (i = 0; i < nr_markers; i++) {
		wrong += replay(&back, i, 0);
		report_free(&back);
	}
	CHECK("with any marker missing there is no state", !wrong);
	for (i = 1; i < 40; i += 3) {
		wrong += replay(&back, MAX_MARKERS, i);
		report_free(&back);
	}
	CHECK("nor with all of them cut", !wrong);

	/* A second one, of which the end is missing: the first stands. */
	report.time_ns = 99999;
	record(&report, &serial);
	CHECK("two states: the last one", replay(&back, MAX_MARKERS, 0) &&
	      back.time_ns == 99999);
	report_free(&back);
	CHECK("the last is not whole: the one before", replay(&back, nr_markers - 1, 0) &&
	      back.time_ns == 12345);
	report_free(&back);

	/* Every byte wrong once: no crash (the sanitizers look on). The last state counts. */
	wrong = 0;
	for (k = 0; k < nr_markers; k++) {
		for (i = 0; i < markers[k].size; i++) {
			markers[k].data[i] ^= 0xff;
			differs = !replay(&back, MAX_MARKERS, 0) || back.time_ns != 99999;
			report_free(&back);
			markers[k].data[i] ^= 0xff;
			if (k < nr_markers / 2)
				wrong += differs;
			else
				refused += differs;
		}
	}
	CHECK("wrong bytes in the state before: the last is read", !wrong);
	CHECK("wrong bytes in the last state: not all are believed", refused);
	CHECK("the right bytes again: it is", replay(&back, MAX_MARKERS, 0) &&
	      back.time_ns == 99999);
	report_free(&back);
	report_free(&report);
}

/* The parts of a file with @more bytes in each struct, or fewer; then @extra. */
static void resize(FILE *to, const char *from, size_t size, int more)
{
	static const char junk[64] = { [0 ... 63] = 0x5a };
	struct state_part part, extra = { .type = 99, .item_size = 8, .count = 1 };
	size_t at, old, i;

	for (at = 0; at < size; at += sizeof(part) + ((old * part.count + 7) & ~7UL)) {
		memcpy(&part, from + at, sizeof(part));
		old = part.item_size;
		if (part.item_size > sizeof(uint64_t))
			part.item_size += more;
		fwrite(&part, sizeof(part), 1, to);
		for (i = 0; i < part.count; i++) {
			fwrite(from + at + sizeof(part) + i * old, old < part.item_size ?
			       old : part.item_size, 1, to);
			if (part.item_size > old)
				fwrite(junk, part.item_size - old, 1, to);
		}
		fwrite(junk, -(part.item_size * part.count) & 7, 1, to);
	}
	if (more > 0) {
		fwrite(&extra, sizeof(extra), 1, to);
		fwrite(junk, 8, 1, to);
	}
}

/* The markers as a program with larger or smaller structs had written them. */
static bool by_other(struct report *report, const char *version, int more)
{
	struct state_reader *reader = state_reader_new(UINT64_MAX);
	struct state_chunk chunk, out;
	char *data = NULL, *made, *at;
	size_t i, size;
	bool found;
	FILE *to;

	for (i = 0; i < nr_markers; i++) {
		memcpy(&chunk, markers[i].data, sizeof(chunk));
		data = realloc(data, chunk.total + 1);
		memcpy(data + chunk.offset, markers[i].data + sizeof(chunk), chunk.size);
		if (chunk.offset + chunk.size < chunk.total)
			continue;
		to = open_memstream(&made, &size);
		fwrite(&out, sizeof(out), 1, to);
		if (chunk.type == STATE_HEAD) {
			at = strchr(data, '\n');
			fprintf(to, "%s version\n%s", version, more > 0 ? "7 of_tomorrow\n" : "");
			/* The older one did not count what hooks are missing. */
			if (more < 0)
				memcpy(strstr(data, "hooks"), "hookz", 5);
			fwrite(at + 1, chunk.total - (at + 1 - data), 1, to);
		} else if (chunk.type == STATE_FILE || chunk.type == STATE_NAME) {
			resize(to, data, chunk.total, more);
		} else {
			fwrite(data, chunk.total, 1, to);
		}
		fclose(to);
		out = chunk;
		out.offset = 0;
		out.total = out.size = size - sizeof(out);
		memcpy(made, &out, sizeof(out));
		state_reader_take(reader, made, size);
		free(made);
	}
	memset(report, 0, sizeof(*report));
	found = state_reader_last(reader, report);
	if (!found)
		CHECK("and says why", strstr(state_reader_why(reader), "another version") != NULL);
	state_reader_free(reader);
	free(data);
	return found;
}

static void versions(void)
{
	struct report report, back;
	uint32_t serial = 0;
	char *was, *is;

	nr_markers = 0;
	fill(&report);
	record(&report, &serial);
	report.recorded = true;
	was = report_json(&report, false);
	CHECK("of a newer program", by_other(&back, "2", 24));
	is = report_json(&back, false);
	CHECK("what it has more is left out", !strcmp(was, is));
	free(is);
	report_free(&back);
	CHECK("of an older program", by_other(&back, "2", -8));
	CHECK("what it lacks is not there", back.nr_files == 2 && back.files[0].who &&
	      !back.files[0].who->counted.known && !back.losses.hooks_missing);
	CHECK("what it has is", number_of(&back.files[0], PCINSPECT_CACHED) == 77 &&
	      back.files[0].who->evictors[0].ino == 99 && back.files[0].nr_windows == 20 &&
	      back.files[0].windows[19].index == 19 * 64);
	report_free(&back);
	CHECK("of another major version: not read", !by_other(&back, "3", 0));
	free(was);
	report_free(&report);
}

/* Somewhere in the markers: these bytes instead of those. Returns how often. */
static unsigned int exchange(const void *from, const void *to, size_t size)
{
	unsigned int found = 0;
	char *at;
	size_t i;

	for (i = 0; i < nr_markers; i++) {
		at = memmem(markers[i].data, markers[i].size, from, size);
		if (at) {
			memcpy(at, to, size);
			found++;
		}
	}
	return found;
}

/*
 * A bool of a report is 0 or 1 whatever a recording has: another byte
 * in a bool is undefined behaviour wherever it is looked at (the sanitizers look on).
 */
static void truths(void)
{
	static const uint64_t values[] = { 7, 256, 1ULL << 40 };
	struct {
		struct state_part part;
		struct state_asked asked;
	} from = { { STATE_ASKED, sizeof(struct state_asked), 1, 0 }, { .gone = 1 } }, to = from;
	struct report report, back;
	char *was, *is;
	size_t i;

	for (i = 0; i < sizeof(values) / sizeof(*values); i++) {
		uint32_t serial = 0;

		nr_markers = 0;
		fill(&report);
		record(&report, &serial);
		report.recorded = true;
		was = report_json(&report, false);
		to.asked.gone = values[i];
		CHECK("one file is gone", exchange(&from, &to, sizeof(from)) == 1);
		CHECK("losses are known", exchange("\n1 losses\n", "\n6 losses\n", 10) == 1);
		CHECK("it is read", replay(&back, MAX_MARKERS, 0));
		is = report_json(&back, false);
		CHECK_STR("true is true", is, was);
		CHECK("and nothing else", back.losses.known == 1 && back.files[1].gone == 1 &&
		      !back.files[0].gone);
		free(was);
		free(is);
		report_free(&back);
		report_free(&report);
	}
}

static const char filemap[] =
	"name: mm_filemap_add_to_page_cache\nID: 500\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:unsigned long i_ino;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:dev_t s_dev;\toffset:32;\tsize:4;\tsigned:0;\n\n"
	"print fmt: \"ino %lx\", REC->i_ino\n";
static const char dirty[] =
	"name: writeback_dirty_folio\nID: 501\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:char name[32];\toffset:8;\tsize:32;\tsigned:1;\n"
	"\tfield:ino_t ino;\toffset:40;\tsize:8;\tsigned:0;\n\n"
	"print fmt: \"bdi %s\", REC->name\n";
static const char device[] =
	"name: writeback_bdi_register\nID: 502\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
	"\tfield:char name[32];\toffset:8;\tsize:32;\tsigned:1;\n\n"
	"print fmt: \"bdi %s\", REC->name\n";

static bool parsed(struct tep_handle *tep, const char *text, const char *system,
		   struct inode_event *kind)
{
	struct tep_event *event;

	if (tep_parse_format(tep, &event, text, strlen(text), system))
		return false;
	return inode_event(event, kind);
}

static void events(void)
{
	struct tep_handle *tep = tep_alloc();
	struct inode_event by_dev, by_bdi, none;
	struct inode_index index = {};
	struct inode_key key;
	struct report report;
	char data[48] = {}, *filter;
	uint64_t ino = 13;
	uint32_t dev = 254 << 20 | 16;
	size_t file = 9, i;

	fill(&report);
	CHECK("filemap events name an inode", parsed(tep, filemap, "filemap", &by_dev));
	CHECK("writeback events as well", parsed(tep, dirty, "writeback", &by_bdi));
	CHECK("those of a device do not", !parsed(tep, device, "writeback", &none));
	filter = inode_event_filter(&by_dev, &report);
	CHECK("filter by device and inode, not of what is gone",
	      !strcmp(filter, "(s_dev == 266338320 && i_ino == 13)"));
	free(filter);
	filter = inode_event_filter(&by_bdi, &report);
	CHECK("filter by backing device", !strcmp(filter, "(name == \"254:16\" && ino == 13)"));
	free(filter);

	inode_index_build(&index, &report);
	memcpy(data + 16, &ino, sizeof(ino));
	memcpy(data + 32, &dev, sizeof(dev));
	CHECK("an event is of its file",
	      inode_event_key(&by_dev, data, sizeof(data), &key) &&
	      inode_index_find(&index, &key, &file) && !file);
	CHECK("an event that was cut is of none",
	      !inode_event_key(&by_dev, data, 20, &key));
	dev++;
	memcpy(data + 32, &dev, sizeof(dev));
	CHECK("of another device: of none",
	      inode_event_key(&by_dev, data, sizeof(data), &key) &&
	      !inode_index_find(&index, &key, &file));
	memset(data, 0, sizeof(data));
	strcpy(data + 8, "254:16");
	memcpy(data + 40, &ino, sizeof(ino));
	CHECK("by the backing device's name",
	      inode_event_key(&by_bdi, data, sizeof(data), &key) &&
	      inode_index_find(&index, &key, &file) && !file);
	inode_index_free(&index);

	/* So many that only the device can be named; then not even these. */
	for (i = 0; i < 500; i++) {
		struct file *more = report_add(&report, "x");

		more->snap.ino = 1000 + i;
		more->snap.dev_major = 254;
		more->snap.dev_minor = 16;
	}
	filter = inode_event_filter(&by_dev, &report);
	CHECK("500 files: by device", filter && !strcmp(filter, "(s_dev == 266338320)"));
	free(filter);
	for (i = 0; i < report.nr_files; i++)
		report.files[i].snap.dev_minor = i;
	filter = inode_event_filter(&by_dev, &report);
	CHECK("500 devices: no filter", !filter);
	free(filter);
	report_free(&report);
	tep_free(tep);
}

int main(void)
{
	states();
	versions();
	truths();
	events();
	return test_failures != 0;
}
