// SPDX-License-Identifier: GPL-2.0-only
/*
 * follow.c - files that are tracked and asked about again and again, for watch
 * and record.
 *
 * Every path gets an explicit record and is asked about by its handle, so that
 * no file stays open: an unmount or a deletion goes through, and we say so.
 * The module lets go of the records when our /dev/pcinspect is closed, however
 * we end; unless others want them, too. Paths on overlayfs are opened anew each
 * time, because a copy-up moves them to another inode.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "collect/follow.h"
#include "collect/settings.h"
#include "lib/clock.h"
#include "lib/ticks.h"

/**
 * follow_start() - track files
 * @follow: filled in
 * @collect: just started; gets an entry for each path that works; as long as its
 *	device is open the files are tracked
 * @paths: them
 * @nr_paths: how many
 *
 * Complains by itself of each path that does not work.
 *
 * Return: the exit status so far.
 */
int follow_start(struct follow *follow,
		 struct collect *collect,
		 char *const *paths, size_t nr_paths)
{
	size_t i;

	memset(follow, 0, sizeof(*follow));
	follow->collect = collect;
	for (i = 0; i < nr_paths && !ticks_stopped(); i++)
		collect_path(collect, paths[i], PCINSPECT_IOC_HOLD);
	return collect_status(collect);
}

/* The path may lead to another inode by now: follow it. */
static enum followed renew_overlay(struct follow *follow, size_t i)
{
	enum followed result = FOLLOWED_GONE;
	struct collect one = *follow->collect;
	struct file *file = &one.report->files[i];
	struct report now = { .about = one.report->about,
					.page_size = one.report->page_size };
	uint64_t old = file->snap.id;

	one.report = &now;
	collect_path(&one, file->path, PCINSPECT_IOC_HOLD);
	if (now.nr_files) {
		result = now.files[0].snap.id == old ? FOLLOWED : FOLLOWED_MOVED;
		if (result == FOLLOWED_MOVED)
			collect_drop(&one, old);
		now.files[0].replaced = file->replaced + (result == FOLLOWED_MOVED);
		now.files[0].replaced_ino = result == FOLLOWED_MOVED ? file->snap.ino :
								       file->replaced_ino;
		file_free(file);
		*file = now.files[0];
		now.nr_files = 0;
	} else {
		file->gone = true;
	}
	report_free(&now);
	return result;
}

/**
 * follow_one() - ask about one of them again
 * @follow: them
 * @i: index of one, which is up to date afterwards; where names are followed also
 *	one that is gone
 *
 * Return: what became of it.
 */
enum followed follow_one(struct follow *follow, size_t i)
{
	struct file *file = &follow->collect->report->files[i];
	enum followed result = FOLLOWED;
	uint64_t before = clock_now_ns();
	char place[PATH_MAX] = "";

	if (file->gone) {
		result = FOLLOWED_GONE;
	} else if (file->snap.flags & PCINSPECT_F_REAL_INODE) {
		result = renew_overlay(follow, i);
	} else if (collect_id(follow->collect, file, file->snap.id, place)) {
		result = FOLLOWED_BUSY;
		if (errno != EBUSY && errno != EINTR) {
			file->gone = true;
			result = FOLLOWED_GONE;
		}
	}
	if (follow->names && result != FOLLOWED_BUSY)
		result = names_look(follow, i, place, result);
	/* Its entry may have moved. */
	file = &follow->collect->report->files[i];
	if (result == FOLLOWED || result == FOLLOWED_MOVED) {
		file->before_ns = before;
		file->after_ns = clock_now_ns();
	}
	return result;
}

/* All of them were asked: the rest of the report. */
void follow_audit(struct follow *follow)
{
	struct report *report = follow->collect->report;

	report_now(report);
	report->nr_audits = 0;
	audit_all(report, NULL);
	settings_read(report);
	losses_read(report, follow->collect->device);
}

/**
 * follow_renew() - ask about all of them again
 * @follow: them; their report is up to date afterwards, audit and losses too
 *
 * Return: how many are still there.
 */
size_t follow_renew(struct follow *follow)
{
	struct report *report = follow->collect->report;
	size_t i, alive = 0;

	for (i = 0; i < report->nr_files; i++) {
		if (!report->files[i].gone)
			follow_one(follow, i);
		alive += !report->files[i].gone;
	}
	follow_audit(follow);
	return alive;
}
