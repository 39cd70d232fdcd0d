// SPDX-License-Identifier: GPL-2.0-only
/*
 * try.c - pcinspect try: a command, or a service that is running, with and without each
 * remedy, measured.
 *
 * CMD is run to learn its files; then, with these cold each time, twice as it is, and
 * once with each remedy. A service is looked at for a while as it is, with each remedy, and
 * as it is again: what the first and the last look differ by is no remedy's. Remedies
 * and which one helps are in model/; changing and restoring settings in
 * collect/borrow.c. Touches the environment of CMD, which inherits a memory file of eight
 * bytes while advice is given.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/deliver.h"
#include "cmd/run_once.h"
#include "cmd/subject.h"
#include "collect/borrow.h"
#include "collect/cgroups.h"
#include "collect/cold_cache.h"
#include "collect/idle_files.h"
#include "explain/explain.h"
#include "lib/alloc.h"
#include "lib/complain.h"
#include "lib/escape.h"
#include "lib/keyfile.h"
#include "lib/output.h"
#include "lib/ticks.h"
#include "model/trial.h"
#include "view/json_report.h"
#include "view/report_table.h"
#include "view/text.h"
#include "view/trial.h"

/* Where no program looks for a file of its own: a shell's are below 256. */
#define COUNT_FD 700

/* How long a service is looked at each time, unless --for says so. */
#define DEFAULT_SECONDS 10

/**
 * struct trying - what is under way
 * @args: options and CMD, explained
 * @borrow: settings that are changed
 * @cold: files of CMD
 * @trial: what came of it
 * @run: the first of those without any remedy, whose report is shown
 * @input: where CMD's standard input begins, -1: it is no file
 * @advise: the library that gives advice, NULL: it is not there
 * @service: what is looked at instead of CMD
 * @cgroup: the path of it
 */
struct trying {
	struct args args;
	struct borrow borrow;
	struct cold cold;
	struct trial trial;
	struct run_once *run;
	off_t input;
	char *advise;
	struct subject service;
	char cgroup[PATH_MAX];
};

/* Beside the program, where it was built; or where it is installed. */
static char *find_library(void)
{
	static const char *const places[] = { "%s%s/pcinspect-advise.so",
					      "%s%s/../lib/pcinspect/pcinspect-advise.so" };
	char self[PATH_MAX], *path, *real;
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	size_t i;

	if (n <= 0)
		return NULL;
	self[n] = '\0';
	*strrchr(self, '/') = '\0';
	for (i = 0; i < sizeof(places) / sizeof(*places); i++) {
		path = alloc_text(places[i], self, "");
		real = realpath(path, NULL);
		free(path);
		if (real)
			return real;
	}
	return NULL;
}

/* --- one run ------------------------------------------------------------------- */

static void settle(void *arg)
{
	const struct trying *t = arg;

	cold_sync(&t->cold);
}

static struct run_once *new_run(void)
{
	struct run_once *run = alloc_zero(1, sizeof(*run));

	return run;
}

static void forget_run(struct run_once *run)
{
	if (run)
		run_free(run);
	free(run);
}

/* The service is looked at. Returns as measure() does. */
static struct run_once *measure_service(struct trying *t, struct costs *costs)
{
	struct run_once *run = new_run();
	bool reported = run_once(run, &t->args, NULL);

	run_end(run);
	if (reported && !subject_keep(&run->report, &t->service, NULL)) {
		complain(NULL, "%s read and wrote no file for %g s: nothing is compared (--for S looks for longer)",
			 t->trial.service, t->args.pace.duration);
		reported = false;
	}
	if (!reported) {
		forget_run(run);
		return NULL;
	}
	idle_files_read(&run->collect);
	explain(&run->report);
	costs_of(costs, &run->report, false);
	costs->left_pages = PCINSPECT_UNKNOWN;
	costs->status = -1;
	return run;
}

/*
 * CMD is run, its files cold. Returns its report's, or NULL if there is none (also when we
 * were told to end meanwhile); the costs are filled in.
 */
static struct run_once *measure(struct trying *t, struct costs *costs, struct run_in *in)
{
	struct run_once *run;
	uint64_t left;
	bool reported;

	if (t->trial.service)
		return run_signal() ? NULL : measure_service(t, costs);
	left = cold_make(&t->cold);
	if (run_signal())
		return NULL;
	run = new_run();
	/* A file is read again; what came through a pipe is gone. */
	if (t->input >= 0)
		lseek(STDIN_FILENO, t->input, SEEK_SET);
	in->settle = settle;
	in->arg = t;
	reported = run_once(run, &t->args, in);
	run_end(run);
	if (!reported) {
		costs->status = run->status;
		forget_run(run);
		return NULL;
	}
	costs_of(costs, &run->report, true);
	costs->left_pages = left;
	costs->status = run->status;
	cold_add(&t->cold, &run->report, run->collect.device);
	return run;
}

/* --- with a remedy ---------------------------------------------------------------- */

/*
 * The count of advices that were taken. CMD may be another user's: as its size is sealed,
 * it can do no more than count too much.
 */
static int count_begin(struct stat *st)
{
	int made = memfd_create("pcinspect-advised", MFD_CLOEXEC | MFD_ALLOW_SEALING), fd = -1;

	if (made >= 0 && !ftruncate(made, sizeof(uint64_t)) &&
	    !fcntl(made, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		fd = fcntl(made, F_DUPFD_CLOEXEC, COUNT_FD);
	if (fd < 0 || fstat(fd, st))
		complain(NULL, "advice cannot be counted: %s", strerror(errno));
	if (made >= 0)
		close(made);
	return fd;
}

static uint64_t count_end(int fd)
{
	uint64_t taken = 0;

	if (pread(fd, &taken, sizeof(taken), 0) != sizeof(taken))
		taken = 0;
	close(fd);
	return taken;
}

/* Returns what CMD's run made; NULL: it was not run. */
static struct run_once *measure_advised(struct trying *t, struct attempt *a)
{
	char *env[5] = {}, *theirs = getenv("LD_PRELOAD");
	struct run_in in = { .env = env, .procs = -1 };
	struct run_once *run = NULL;
	struct stat st;
	int n = 0;

	if (t->trial.service) {
		complain(NULL, "%s: not tried: a program that runs takes no advice (pcinspect try -- CMD)",
			 a->remedy->name);
		return NULL;
	}
	if (!t->advise || strpbrk(t->advise, " :")) {
		complain(NULL, "%s: not tried: pcinspect-advise.so is not beside the program, nor in ../lib/pcinspect",
			 a->remedy->name);
		return NULL;
	}
	in.keep = count_begin(&st);
	if (in.keep < 0)
		return NULL;
	env[n++] = alloc_text(theirs ? "LD_PRELOAD=%s:%s" : "LD_PRELOAD=%s%s", t->advise,
			      theirs ?: "");
	env[n++] = alloc_text("PCINSPECT_ADVICE=%s%s", a->remedy->knob, "");
	env[n++] = alloc_text("PCINSPECT_ADVICE_COUNT=%d %ju %d", in.keep, (uintmax_t)st.st_ino,
			      getpid());
	if (a->remedy->place)
		env[n++] = alloc_text("PCINSPECT_ADVICE_FILES=%s%s", a->remedy->place, "");
	run = measure(t, &a->costs, &in);
	while (n)
		free(env[--n]);
	if (!count_end(in.keep) && run) {
		complain(NULL, "%s: not tried: CMD opened none of these files through the C library (statically linked or setuid?)",
			 a->remedy->name);
		forget_run(run);
		run = NULL;
	}
	return run;
}

/* Would less than it has now kill it? */
static bool may_kill(const struct remedy *remedy, const char *path)
{
	uint64_t now;

	return !strcmp(remedy->knob, "memory.max") &&
	       (!keyfile_number(&now, "%s", path) || strtoull(remedy->value, NULL, 10) < now);
}

/* With another limit of the service's own cgroup. */
static struct run_once *look_limited(struct trying *t, struct attempt *a)
{
	const struct remedy *remedy = a->remedy;
	struct run_once *run = NULL;
	char *path;

	if (!t->service.cgroup) {
		complain(NULL, "%s: not tried: a limit is of a cgroup (--cgroup)", remedy->name);
		return NULL;
	}
	path = alloc_text(MEMCG_ROOT "%s/%s", t->service.cgroup, remedy->knob);
	if (may_kill(remedy, path))
		complain(NULL, "%s: not tried: it is less than now, and may kill (memory.high does not)",
			 remedy->name);
	else if (borrow_set(&t->borrow, path, remedy->value))
		run = measure(t, &a->costs, NULL);
	free(path);
	return run;
}

static struct run_once *measure_limited(struct trying *t, struct attempt *a)
{
	struct run_in in = { .keep = -1, .procs = -1 };
	const struct remedy *remedy = a->remedy;
	struct run_once *run = NULL;

	if (t->trial.service) {
		run = look_limited(t, a);
	} else {
		in.procs = borrow_cgroup(&t->borrow, remedy->knob, remedy->value);
		if (in.procs >= 0) {
			run = measure(t, &a->costs, &in);
			close(in.procs);
		}
	}
	return run;
}

static struct run_once *measure_with(struct trying *t, struct attempt *a)
{
	const struct remedy *remedy = a->remedy;
	struct run_in in = { .keep = -1, .procs = -1 };
	struct run_once *run = NULL;

	switch (remedy->kind) {
	case REMEDY_ADVICE:
		return measure_advised(t, a);
	case REMEDY_SETTING:
		/* file_ra_state_init(), mm/readahead.c */
		if (t->trial.service && !strcmp(remedy->knob, "read_ahead_kb"))
			complain(NULL, "%s: of files that are opened from now on; those that are open keep their ra_pages",
				 remedy->name);
		if (borrow_set(&t->borrow, remedy->place, remedy->value))
			run = measure(t, &a->costs, &in);
		break;
	case REMEDY_CGROUP:
		return measure_limited(t, a);
	case REMEDY_DROP:
		if (cold_drop(remedy->place))
			run = measure(t, &a->costs, &in);
		else
			complain(remedy->place, "cannot be dropped: %s", strerror(errno));
		break;
	}
	return run;
}

/* --- all of them -------------------------------------------------------------------- */

static struct attempt *next_attempt(struct trying *t, const struct remedy *remedy)
{
	struct attempt *a = &t->trial.attempts[t->trial.nr++];

	*a = (struct attempt){ .remedy = remedy };
	return a;
}

/* What CMD ended with is the end of it: nothing can be compared. */
static int cmd_failed(const struct trying *t, int status)
{
	if (status > 128)
		complain(t->args.what.paths[0], "was ended by signal %d: nothing is compared", status - 128);
	else
		complain(t->args.what.paths[0], "exited with %d: nothing is compared (CMD has to succeed each time)",
			 status);
	return status;
}

/* The first look; a place is kept for the last. Returns -1 to go on, else the exit status. */
static int look_first(struct trying *t)
{
	t->run = measure(t, &next_attempt(t, NULL)->costs, NULL);
	next_attempt(t, NULL);
	return run_signal() ? 128 + run_signal() : t->run ? -1 : EXIT_FAILED;
}

/* The last one, as it is. Without it nothing is compared. */
static int look_last(struct trying *t, int status)
{
	struct run_once *run = status < 0 ? measure(t, &t->trial.attempts[1].costs, NULL) : NULL;

	if (!run || run_signal())
		t->trial.nr = 1;
	forget_run(run);
	return run_signal() ? 128 + run_signal() : status < 0 && !run ? EXIT_FAILED : status;
}

/* Learn the files; then twice as it is. Returns -1 to go on, else the exit status. */
static int measure_base(struct trying *t)
{
	struct run_in in = { .keep = -1, .procs = -1 };
	struct run_once *again;
	int status;

	t->run = new_run();
	if (!run_once(t->run, &t->args, NULL)) {
		status = t->run->status ?: EXIT_FAILED;
		/* An unfinished measurement is no report. */
		forget_run(t->run);
		t->run = NULL;
		return status;
	}
	run_end(t->run);
	if (t->run->status)
		return cmd_failed(t, t->run->status);
	cold_add(&t->cold, &t->run->report, t->run->collect.device);
	if (run_signal())
		return 128 + run_signal();
	forget_run(t->run);
	t->run = measure(t, &next_attempt(t, NULL)->costs, &in);
	status = t->trial.attempts[0].costs.status;
	if (run_signal())
		return 128 + run_signal();
	if (!t->run || status)
		return t->run ? cmd_failed(t, status) : EXIT_FAILED;
	again = measure(t, &next_attempt(t, NULL)->costs, &in);
	status = t->trial.attempts[1].costs.status;
	if (!again || status || run_signal()) {
		/* A remedy that was not measured twice is not compared. */
		t->trial.nr = 1;
		if (run_signal())
			status = 128 + run_signal();
		else
			status = again ? cmd_failed(t, status) : EXIT_FAILED;
		forget_run(again);
		return status;
	}
	/* A verdict that showed only then is worth a try as well. */
	if (!t->args.nr_remedies && !t->run->report.nr_verdicts)
		remedies_of(&t->trial.remedies, &again->report);
	forget_run(again);
	return -1;
}

/* A partition's queue is that of its disk. */
static void find_queue(struct remedy *remedy)
{
	static const char queue[] = "/queue/";
	char *at = remedy->kind == REMEDY_SETTING ? strstr(remedy->place, queue) : NULL, *of_disk;

	if (!at || !access(remedy->place, F_OK))
		return;
	of_disk = alloc_text("%.*s/..%s", (int)(at - remedy->place), remedy->place, at);
	free(remedy->place);
	remedy->place = of_disk;
}

/* Does a command raise a limit of the service's own cgroup? Then that is tried. */
static bool take_limit(struct trying *t, const char *command)
{
	char value[24], knob[8], *path;
	bool own;

	if (!t->service.cgroup || sscanf(command, "echo %23[0-9] > ", value) != 1)
		return false;
	path = alloc_text("echo %s > " MEMCG_ROOT "%s/memory.", value, t->service.cgroup);
	own = !strncmp(command, path, strlen(path));
	snprintf(knob, sizeof(knob), "%s", own ? command + strlen(path) : "");
	free(path);
	if (strcmp(knob, "high") && strcmp(knob, "max"))
		return false;
	path = alloc_text("memory.%s", knob);
	remedies_add(&t->trial.remedies, REMEDY_CGROUP, path, value, NULL);
	free(path);
	return true;
}

/* The remedies to try. Returns -1 to go on, else the exit status. */
static int find_remedies(struct trying *t)
{
	struct remedies *remedies = &t->trial.remedies;
	const char *wrong;
	size_t i;

	for (i = 0; i < t->args.nr_remedies; i++) {
		wrong = remedy_parse(&t->trial.remedies, t->args.remedies[i], &t->run->report);
		if (wrong) {
			complain(NULL, "--remedy %s: %s", t->args.remedies[i], wrong);
			return EXIT_FAILED;
		}
	}
	if (!t->args.nr_remedies)
		remedies_of(remedies, &t->run->report);
	for (i = 0; i < remedies->nr; i++)
		find_queue(&remedies->list[i]);
	for (i = 0; i < remedies->nr_untried; i++) {
		const char *command = remedies->untried[i].command;

		if (!take_limit(t, command))
			complain(NULL, "not tried: %s: %s", command, t->trial.service ?
				 "it would change what others use" : remedies->untried[i].why);
	}
	return -1;
}

static int measure_remedies(struct trying *t)
{
	const struct remedies *remedies = &t->trial.remedies;
	struct run_once *run;
	size_t i;

	for (i = 0; i < remedies->nr && t->trial.nr < MAX_ATTEMPTS; i++) {
		struct attempt *a;

		if (run_signal())
			return 128 + run_signal();
		a = next_attempt(t, &remedies->list[i]);
		run = measure_with(t, a);
		if (!run)
			a->outcome = OUTCOME_NOT_APPLIED;
		else if (run->status)
			a->outcome = OUTCOME_CMD_FAILED;
		forget_run(run);
		/* A setting that cannot be restored is no ground to measure the next one on. */
		if (!borrow_return(&t->borrow))
			return EXIT_FAILED;
		if (run_signal())
			return 128 + run_signal();
	}
	if (i < remedies->nr)
		complain(NULL, "%zu more remedies are not tried (choose with --remedy)",
			 remedies->nr - i);
	return -1;
}

static int try_show(struct trying *t, const struct args *args)
{
	struct report *report = &t->run->report;
	int status;

	fflush(stdout);
	if (t->trial.nr >= 2)
		report->trial = &t->trial;
	status = deliver_saved(report, args, 0);
	if (args->out.json) {
		if (report_json_write(report, stdout)) {
			output_failed();
			status = EXIT_FAILED;
		}
		view_losses(report, stderr);
	} else if (report->trial) {
		view_losses(report, args->out.noheadings ? stderr : stdout);
		view_verdicts(report, &args->out);
		trial_print(&t->trial, &args->out);
		table_audit_print(report, &args->out);
	}
	report->trial = NULL;
	return status ?: report_lost(report) ? EXIT_LOSSES : 0;
}

/* All of it; the exit status. */
static int try(struct trying *t, const struct args *args)
{
	int status = t->trial.service ? look_first(t) : measure_base(t), shown;

	if (status < 0)
		status = find_remedies(t);
	if (status < 0)
		status = measure_remedies(t);
	if (t->trial.service)
		status = look_last(t, status);
	t->trial.files = t->cold.nr;
	if (t->trial.nr >= 2)
		trial_judge(&t->trial);
	else
		t->trial.nr = 0;
	/* Finished measurements are not lost because of unfinished ones. */
	shown = t->run && t->run->collecting ? try_show(t, args) : 0;
	return status > 0 ? status : shown;
}

/* Nothing is touched where nothing can be measured. Complains by itself. */
static bool module_answers(void)
{
	struct collect collect;
	struct report report;

	if (!collect_start(&collect, &report))
		return false;
	collect_free(&collect);
	return true;
}

/* One of CMD, --pid, --cgroup and --restore is given. Returns 0 or EXIT_USAGE. */
static int try_check(const struct args *args)
{
	int given = args->restore + (args->what.nr_paths > 0) + (args->pid != NULL) +
		    (args->cgroup != NULL);

	if (given == 1 && (args->pace.duration <= 0 || args->pid || args->cgroup))
		return 0;
	complain(NULL, !given ? "try: no CMD given (usage: pcinspect try [OPTION]… -- CMD…)" :
		 given == 1 ? "try: --for is of --pid and --cgroup" :
		 args->restore ? "try: --restore takes no CMD" :
		 "try: CMD, --pid and --cgroup exclude each other (give one)");
	return EXIT_USAGE;
}

/* Which service is it, and which filesystems does it use? Returns 0, or the exit status. */
static int find_service(struct trying *t, struct libmnt_table *mounts)
{
	char full[PATH_MAX], *real, *shown;
	int fd;

	if (t->args.pid) {
		t->service.pid = strtoul(t->args.pid, NULL, 10);
		t->trial.service = alloc_text("process %u", t->service.pid);
		if (kill(t->service.pid, 0) && errno == ESRCH) {
			complain(NULL, "--pid %s: no such process (see ps)", t->args.pid);
			return EXIT_FAILED;
		}
	} else {
		fd = cgroups_open(t->args.cgroup, full, sizeof(full));
		if (fd < 0) {
			complain(t->args.cgroup, "%s", open_error_text(errno));
			return EXIT_FAILED;
		}
		close(fd);
		real = realpath(full, NULL);
		if (!real || strncmp(real, MEMCG_ROOT "/", strlen(MEMCG_ROOT "/"))) {
			complain(t->args.cgroup, "is not below %s (give a directory there)", MEMCG_ROOT);
			free(real);
			return EXIT_FAILED;
		}
		snprintf(t->cgroup, sizeof(t->cgroup), "%s", real + strlen(MEMCG_ROOT));
		free(real);
		t->service.cgroup = t->cgroup;
		shown = escape_path(t->cgroup);
		t->trial.service = alloc_text("cgroup %s", shown);
		free(shown);
	}
	if (t->args.pace.duration <= 0)
		t->args.pace.duration = DEFAULT_SECONDS;
	t->trial.seconds = t->args.pace.duration;
	t->args.explain = false;
	ticks_catch();
	return t->args.nr_mounts ? 0 : subject_mounts(&t->service, mounts, &t->args);
}

/**
 * cmd_try() - pcinspect try [--remedy R]… {-- CMD… | --pid PID | --cgroup CGROUP}
 * @args: options and the command
 *
 * Return: 0 if all was measured; the status of CMD if it failed as it is.
 */
int cmd_try(const struct args *args)
{
	struct trying t = { .args = *args };
	struct libmnt_table *mounts;
	const char *wrong;
	int status = try_check(args);
	size_t i;

	if (status)
		return status;
	for (i = 0; i < args->nr_remedies; i++) {
		wrong = remedy_parse(&t.trial.remedies, args->remedies[i], NULL);
		if (wrong) {
			complain(NULL, "--remedy %s: %s (see pcinspect try --help)",
				 args->remedies[i], wrong);
			return EXIT_USAGE;
		}
	}
	if (!args->restore && !module_answers())
		return EXIT_FAILED;
	if (!args->restore && !borrow_lasts())
		borrow_nothing(&t.borrow);
	else if (!borrow_begin(&t.borrow, BORROW_DIR))
		return EXIT_FAILED;
	if (args->restore) {
		puts("nothing is left to be put back");
		return borrow_end(&t.borrow) ? 0 : EXIT_FAILED;
	}
	t.args.explain = true;
	t.input = lseek(STDIN_FILENO, 0, SEEK_CUR);
	t.advise = find_library();
	mounts = mounts_load();
	if (!args->what.nr_paths)
		status = find_service(&t, mounts);
	if (!status)
		status = try(&t, args);
	mnt_unref_table(mounts);
	if (!borrow_end(&t.borrow))
		status = status ?: EXIT_FAILED;
	forget_run(t.run);
	remedies_free(&t.trial.remedies);
	cold_free(&t.cold);
	free(t.trial.service);
	free(t.advise);
	return status;
}
