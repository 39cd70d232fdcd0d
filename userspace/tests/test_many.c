// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_many.c - a descent over 100,000 files, each told and forgotten: in how much
 * memory, and that what is said of all is of all; as a table, and saved in a file, too. The
 * module is one that knows how large files are (fake_module.h). Touches a directory of its
 * own below TMPDIR, and a file without a name there.
 */
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "collect/collect.h"
#include "fake_module.h"
#include "lib/options.h"
#include "test.h"
#include "view/json_report.h"
#include "view/report_table.h"

#define DIRECTORIES	100
#define EACH		1000

/* Of the sanitizers' allocator, as <sanitizer/allocator_interface.h> has it. */
size_t __sanitizer_get_current_allocated_bytes(void);

/* The output, and the most bytes that were allocated then. */
struct meter {
	struct json_stream json;
	struct json_save save;
	const struct report *report;
	size_t files, most, stop_at;
	uint64_t pages;
};

static char base[PATH_MAX], saved[PATH_MAX + 8];

static void make_tree(void)
{
	const char *tmp = getenv("TMPDIR");
	char path[PATH_MAX + 32], again[PATH_MAX + 32];
	int i, k, fd, made = 0;

	snprintf(base, sizeof(base), "%s/pcinspect-many.XXXXXX", tmp ? tmp : "/tmp");
	CHECK("a directory", mkdtemp(base) != NULL);
	snprintf(saved, sizeof(saved), "%s/saved", base);
	for (i = 0; i < DIRECTORIES; i++) {
		snprintf(path, sizeof(path), "%s/%d", base, i);
		mkdir(path, 0700);
		for (k = 0; k < EACH; k++) {
			snprintf(path, sizeof(path), "%s/%d/%d", base, i, k);
			fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
			made += fd >= 0 && !ftruncate(fd, k % 2);
			close(fd);
		}
		/* Another name of the last one. */
		snprintf(again, sizeof(again), "%s/%d/again", base, i);
		made += !link(path, again);
	}
	CHECK("100,000 files, and 100 names more", made == DIRECTORIES * (EACH + 1));
}

static enum streamed_file tell(void *to, const struct file *file)
{
	struct meter *meter = to;
	size_t now = __sanitizer_get_current_allocated_bytes();

	report_json_file(&meter->json, meter->report, file);
	json_save_file(&meter->save, meter->report, file);
	meter->files++;
	meter->pages += number_of(file, PCINSPECT_CACHED);
	if (now > meter->most)
		meter->most = now;
	return meter->files != meter->stop_at ? STREAM_FORGET : STREAM_STOP;
}

/* The files of the first directory by their names, and the first of them once more. */
static void take_named(struct collect *collect)
{
	char path[PATH_MAX + 32];
	int k;

	for (k = 0; k <= EACH && !collect->stop; k++) {
		snprintf(path, sizeof(path), "%s/0/%d", base, k % EACH);
		collect_path(collect, path, PCINSPECT_IOC_SNAPSHOT);
	}
}

/* Are files told and forgotten? */
static bool telling = true;

/* All of it, or what is named, or as much as somebody reads; the report is left. */
static struct meter take(struct report *report, size_t stop_at, bool named)
{
	struct meter meter = { .stop_at = stop_at };
	FILE *to = named ? tmpfile() : fopen("/dev/null", "we");
	struct stat st;
	struct collect collect = { .report = report, .stream = telling ? tell : NULL,
				   .stream_to = &meter };

	*report = (struct report){ .page_size = 4096 };
	meter.report = report;
	collect.device = open("/dev/null", O_RDWR | O_CLOEXEC);
	collect.mounts = mounts_load();
	report_json_begin(&meter.json, report, to, true);
	/* Of all of them it is 200 MB. */
	json_save_begin(&meter.save, report, named ? saved : "/dev/null");
	CHECK("what is saved has no name before its end", access(saved, F_OK));
	if (named)
		take_named(&collect);
	else
		collect_tree(&collect, base, TREE_FILES, NULL);
	audit_all(report, &collect.tally);
	CHECK("saved", !json_save_end(&meter.save, report));
	report_json_end(&meter.json, report);
	CHECK("written", !ferror(to));
	if (named)
		CHECK("as much to both", !stat(saved, &st) && ftell(to) == st.st_size &&
		      st.st_size > (off_t)meter.files * 800 && !unlink(saved));
	fclose(to);
	CHECK("none failed", !collect.failed);
	close(collect.device);
	mnt_unref_table(collect.mounts);
	inode_set_forget(&collect.seen);
	inode_set_forget(&collect.owners);
	return meter;
}

static void all(void)
{
	const size_t nr = DIRECTORIES * EACH;
	size_t before = __sanitizer_get_current_allocated_bytes();
	struct report report;
	struct meter meter = take(&report, 0, false);

	printf("# %zu files: %zu bytes allocated at most\n", meter.files, meter.most - before);
	CHECK("each inode was told once", meter.files == nr && meter.pages == nr / 2);
	CHECK("100,000 files in less than 20 MB", meter.most - before < 20 << 20);
	CHECK("none is kept", !report.nr_files && report.streamed.files == nr);
	CHECK("the total is of all", number_of(&report.streamed.total, PCINSPECT_CACHED) == nr / 2 &&
	      report.streamed.total.snap.size_bytes == nr / 2);
	CHECK("so is the audit", report.nr_audits == 1 && report.audits[0].ours == nr / 2);
	report_free(&report);

	meter = take(&report, 7, false);
	CHECK("nobody reads any more: it ends", meter.files == 7 && report.streamed.files == 7);
	report_free(&report);
}

/* A list of files, as --files-from has them. */
static void named(void)
{
	struct report report;
	struct meter meter = take(&report, 0, true);

	CHECK("named files are told and forgotten, too", meter.files == EACH + 1 &&
	      !report.nr_files && report.streamed.files == EACH + 1);
	CHECK("who is named twice counts once",
	      number_of(&report.streamed.total, PCINSPECT_CACHED) == EACH / 2);
	report_free(&report);
	meter = take(&report, 7, true);
	CHECK("and it ends when nobody reads", meter.files == 7);
	report_free(&report);
}

/* As many subvolumes as there are files, each with a file of that number. */
static void as_subvolumes(struct pcinspect_snapshot *snap)
{
	strcpy(snap->fs, "btrfs");
	snap->i_generation = snap->ino;
	snap->ino = 257;
}

/* Each inode of a report that was kept once. */
static uint64_t kept_pages(const struct report *report)
{
	uint64_t pages = 0;
	size_t i;

	for (i = 0; i < report->nr_files; i++)
		if (report_first_name(report, i) == i)
			pages += number_of(&report->files[i], PCINSPECT_CACHED);
	return pages;
}

/* On a btrfs s_dev and the number are the same in another subvolume. */
static void subvolumes(void)
{
	struct report report;
	uint64_t kept;

	otherwise = as_subvolumes;
	telling = false;
	take(&report, 0, true);
	kept = kept_pages(&report);
	CHECK("namesakes that are kept count each", report.nr_files == EACH + 1 && kept == EACH / 2);
	report_free(&report);
	telling = true;
	take(&report, 0, true);
	CHECK("so do those that are told and forgotten",
	      number_of(&report.streamed.total, PCINSPECT_CACHED) == kept);
	report_free(&report);
	otherwise = NULL;
}

/* A table of many files: their cells are kept, not the files, and most of them elsewhere. */
static void table(size_t nr, const char *name, size_t most)
{
	struct report report = { .page_size = 4096 };
	size_t before = __sanitizer_get_current_allocated_bytes(), i, after, right = 0;
	struct output out = { .columns = "INO,CACHED,PATH" };
	struct table rows;
	struct file *file;
	char want[64];

	table_begin(&rows, &report, &out);
	for (i = 0; i < nr; i++) {
		file = report_add(&report, "/srv/a/file/of/many/12345");
		file->snap.ino = i;
		file->snap.size_bytes = i;
		know(&file->snap, PCINSPECT_CACHED, (unsigned int)i, PCINSPECT_ACTIVE, 1,
		     PCINSPECT_INACTIVE, 2, PCINSPECT_DIRTY, 0, -1);
		table_file(&rows, file);
		report_stream_last(&report);
	}
	after = __sanitizer_get_current_allocated_bytes();
	printf("# a table of %zu files: %zu bytes\n", nr, after - before);
	CHECK(name, rows.grid.rows.nr == nr && after - before < most);
	for (i = 0; i < 2 * nr; i++) {
		snprintf(want, sizeof(want), "%zu", i % nr);
		right += !strcmp(spool_row(&rows.grid.rows, i % nr) + strlen(want) + 1, want);
	}
	CHECK("each row is what it was, and once more", right == 2 * nr);
	CHECK("also one again", !strncmp(spool_row(&rows.grid.rows, 7), "7", 2) &&
	      spool_row(&rows.grid.rows, 7) == spool_row(&rows.grid.rows, 7));
	grid_forget(&rows.grid);
	report_free(&report);
}

static void tables(void)
{
	struct rlimit was, none;

	table(10000, "10,000 rows are in memory", 8 << 20);
	table(150000, "150,000 are in no more", 8 << 20);
	/* Nothing can be written anywhere. */
	fflush(stdout);
	getrlimit(RLIMIT_FSIZE, &was);
	none = (struct rlimit){ .rlim_max = was.rlim_max };
	signal(SIGXFSZ, SIG_IGN);
	/* Room for the first of them only. */
	none.rlim_cur = 6 << 20;
	setrlimit(RLIMIT_FSIZE, &none);
	table(200000, "where room ends they are", -1);
	none.rlim_cur = 0;
	setrlimit(RLIMIT_FSIZE, &none);
	table(100000, "without room elsewhere they are", -1);
	setrlimit(RLIMIT_FSIZE, &was);
}

/* The set of inodes by itself: numbers one after the other, and far from one another. */
static void sets(void)
{
	size_t before = __sanitizer_get_current_allocated_bytes();
	struct inode_set set = {};
	size_t i, fresh = 0;

	for (i = 0; i < 1000000; i++)
		fresh += inode_set_add(&set, 1, 12 + i);
	CHECK("a million inodes are in less than a megabyte", fresh == 1000000 &&
	      __sanitizer_get_current_allocated_bytes() - before < 1 << 20);
	for (i = fresh = 0; i < 1000000; i++)
		fresh += inode_set_add(&set, 1, 12 + i);
	CHECK("all of them were met", !fresh);
	for (i = fresh = 0; i < 100000; i++)
		fresh += inode_set_add(&set, 2 + i % 3, i * 0x9e3779b97f4a7c15ULL);
	CHECK("numbers from anywhere", fresh == 100000);
	for (i = fresh = 0; i < 100000; i++)
		fresh += inode_set_add(&set, 2 + i % 3, i * 0x9e3779b97f4a7c15ULL);
	CHECK("are met, too", !fresh);
	CHECK("the same number elsewhere is another", inode_set_add(&set, 9, 12) &&
	      !inode_set_add(&set, 1, 12) && inode_set_add(&set, 1, 11));
	inode_set_forget(&set);
	CHECK("forgotten", inode_set_add(&set, 1, 12));
	inode_set_forget(&set);
}

int main(void)
{
	char command[PATH_MAX + 32];

	setlocale(LC_CTYPE, "C.UTF-8");
	sets();
	tables();
	make_tree();
	all();
	named();
	subvolumes();
	snprintf(command, sizeof(command), "rm -r %s", base);
	CHECK("tidy", !system(command));
	return test_failures != 0;
}
