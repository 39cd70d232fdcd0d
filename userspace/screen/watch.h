/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * watch.h - common to the lines and the screen of watch: the
 * files, their state now and at the last tick, the clock, the event stream.
 */
#ifndef PCINSPECT_WATCH_H
#define PCINSPECT_WATCH_H

#include "lib/options.h"
#include "collect/collect.h"
#include "collect/follow.h"
#include "collect/grow.h"
#include "lib/ticks.h"
#include "model/report.h"
#include "trace/events.h"

/**
 * struct watch - one watch
 * @what: the files that were asked for
 * @pace: how often
 * @collect: reaches the module
 * @report: the state now
 * @before: of each file, the state at the tick before: snapshot and ledgers
 * @room: of @before
 * @paths: files that were named, as far as they are good
 * @nr_paths: how many
 * @follow: keeps the files tracked, asks, and follows their names
 * @grow: and finds more
 * @ticks: the clock
 * @events: the stream, NULL: there is none
 * @why: then: why
 * @next: file to be renewed next
 * @alive: files that are still there, of those renewed in this tick
 * @nr_ticks: ticks that are complete
 * @status: exit status so far
 * @say: told what is waited for while it begins, NULL: nobody
 * @context: for it
 */
struct watch {
	const struct selection *what;
	const struct pace *pace;
	struct collect collect;
	struct report report;
	struct file *before;
	size_t room;
	char **paths;
	size_t nr_paths;
	struct follow follow;
	struct grow grow;
	struct ticks ticks;
	struct events *events;
	const char *why;
	size_t next;
	size_t alive;
	unsigned int nr_ticks;
	int status;
	void (*say)(void *context, const char *what);
	void *context;
};

bool watch_start(struct watch *watch, const struct selection *what, const struct pace *pace);
bool watch_begin(struct watch *watch);
bool watch_renew(struct watch *watch, uint64_t budget_ns);
const struct file *watch_before(const struct watch *watch, size_t file);
void watch_stop(struct watch *watch);

#endif /* PCINSPECT_WATCH_H */
