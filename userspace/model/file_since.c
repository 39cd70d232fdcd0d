// SPDX-License-Identifier: GPL-2.0-only
/*
 * file_since.c - the counts of a file since an earlier moment: for a caller that wants those of a
 * while, and leaves the counters to others. Touches memory only.
 */
#include <string.h>

#include "model/file_since.h"

/* Not counted up: as they are now, or (the ledger's) worked out below. */
static bool is_state(enum pcinspect_number number)
{
	switch (number) {
	case PCINSPECT_INSERTED:
	case PCINSPECT_REMOVED:
		return false;
	case PCINSPECT_WINDOWS_DROPPED:
	case PCINSPECT_THRESH_MIN_PAGES:
	case PCINSPECT_THRESH_MAX_PAGES:
	case PCINSPECT_LEDGER_BASE_PAGES:
	case PCINSPECT_LEDGER_CACHED_PAGES:
	case PCINSPECT_LEDGER_MOVED_PAGES:
		return true;
	default:
		return number < PCINSPECT_FIRST_OF_LEDGER;
	}
}

static void set_unknown(struct pcinspect_snapshot *snap, enum pcinspect_number number)
{
	snap->known[number / 64] &= ~(1ULL << number % 64);
}

static void numbers_since(struct file *file, const struct file *was)
{
	__u64 *numbers = file->snap.numbers;
	const __u64 *then = was->snap.numbers;
	int n;

	for (n = 0; n < PCINSPECT_NR_NUMBERS; n++) {
		if (is_state(n))
			continue;
		numbers[n] -= then[n];
		/* Not of one moment then, as the time under writeback may be. */
		if (!number_known(was, n))
			set_unknown(&file->snap, n);
	}
	/* The pages cached by then. */
	numbers[PCINSPECT_LEDGER_BASE_PAGES] = then[PCINSPECT_LEDGER_BASE_PAGES];
	for (n = PCINSPECT_INSERTED_SYNC; n <= PCINSPECT_INSERTED_OTHER; n++)
		numbers[PCINSPECT_LEDGER_BASE_PAGES] += then[n];
	for (n = PCINSPECT_REMOVED_RECLAIM; n <= PCINSPECT_REMOVED_OTHER; n++)
		numbers[PCINSPECT_LEDGER_BASE_PAGES] -= then[n];
	/* Of both times together. */
	if (then[PCINSPECT_THRESH_MAX_PAGES]) {
		set_unknown(&file->snap, PCINSPECT_THRESH_MIN_PAGES);
		set_unknown(&file->snap, PCINSPECT_THRESH_MAX_PAGES);
	}
}

static void task_since(struct pcinspect_task *task, const struct pcinspect_task *was)
{
	task->demanded_bytes -= was->demanded_bytes;
	task->device_bytes -= was->device_bytes;
	task->inserted_pages -= was->inserted_pages;
	task->dirtied_pages -= was->dirtied_pages;
	task->throttled_ns -= was->throttled_ns;
}

/* They keep their places in the module; those that have done nothing since are left out. */
static void tasks_since(struct pcinspect_task *tasks, const struct pcinspect_task *was)
{
	static const struct pcinspect_task none;
	size_t i, n = 0;

	for (i = 0; i < PCINSPECT_NR_TASKS && tasks[i].comm[0]; i++) {
		struct pcinspect_task task = tasks[i], idle = none;

		task_since(&task, &was[i]);
		idle.pid = task.pid;
		idle.pad = task.pad;
		memcpy(idle.comm, task.comm, sizeof(idle.comm));
		if (memcmp(&task, &idle, sizeof(task)))
			tasks[n++] = task;
	}
	memset(tasks + n, 0, (i - n) * sizeof(*tasks));
}

static void culprits_since(struct pcinspect_culprit *culprits, const struct pcinspect_culprit *was)
{
	size_t i, n = 0;

	for (i = 0; i < PCINSPECT_NR_CULPRITS && culprits[i].pages; i++) {
		struct pcinspect_culprit one = culprits[i];

		one.pages -= was[i].pages;
		if (one.pages)
			culprits[n++] = one;
	}
	memset(culprits + n, 0, (i - n) * sizeof(*culprits));
}

static void who_since(struct pcinspect_who *who, const struct pcinspect_who *was)
{
	tasks_since(who->tasks, was->tasks);
	task_since(&who->others, &was->others);
	culprits_since(who->evictors, was->evictors);
	who->evictors_other_pages -= was->evictors_other_pages;
	culprits_since(who->removers, was->removers);
	who->removers_other_pages -= was->removers_other_pages;
	who->counted.demanded_bytes -= was->counted.demanded_bytes;
	who->counted.dirtied_pages -= was->counted.dirtied_pages;
	who->counted.reclaimed_pages -= was->counted.reclaimed_pages;
	who->counted.removed_pages -= was->counted.removed_pages;
}

static void rings_since(struct file *file, const struct file *was)
{
	__u64 *numbers = file->snap.numbers;
	size_t i, n = 0, left = numbers[PCINSPECT_WINDOWS_TOTAL];

	if (left < file->nr_windows) {
		memmove(file->windows, file->windows + file->nr_windows - left,
			left * sizeof(*file->windows));
		file->nr_windows = left;
	}
	numbers[PCINSPECT_WINDOWS_DROPPED] = left - file->nr_windows;
	/* A call is counted when it ends. */
	for (i = 0; i < file->nr_fsyncs; i++)
		if (file->fsyncs[i].time_ns + file->fsyncs[i].duration_ns >= was->snap.time_ns)
			file->fsyncs[n++] = file->fsyncs[i];
	file->nr_fsyncs = n;
}

/**
 * file_since() - take off what was counted before
 * @file: as it is now; begins where @was ends
 * @was: the same inode at an earlier moment
 *
 * Thresholds of both times together are not known of one; who found no place in the module's
 * list before, because it was full, has none now.
 *
 * Return: false if somebody has had its counters begin anew meanwhile: nothing is changed.
 */
bool file_since(struct file *file, const struct file *was)
{
	if (!file->who || !was->who ||
	    file->snap.ledger_since_ns != was->snap.ledger_since_ns)
		return false;
	numbers_since(file, was);
	who_since(file->who, was->who);
	rings_since(file, was);
	file->snap.since_ns = was->snap.time_ns;
	file->snap.ledger_since_ns = was->snap.time_ns;
	return true;
}
