/* SPDX-License-Identifier: GPL-2.0 */
/*
 * watch.h - what the two faces of watch, lines and screen, have in common: the
 * files, their state now and at the last tick, the clock, the event stream.
 */
#ifndef PCINSPECT_WATCH_H
#define PCINSPECT_WATCH_H

#include "lib/options.h"
#include "collect/collect.h"
#include "collect/follow.h"
#include "lib/ticks.h"
#include "model/report.h"
#include "trace/events.h"

/**
 * struct pcinspect_watch - one watch
 * @args: what the user asked for
 * @collect: reaches the module
 * @report: the state now
 * @before: of each file, the state at the tick before: snapshot and ledgers
 * @follow: keeps the files tracked, and asks
 * @ticks: the clock
 * @events: the stream, NULL: there is none
 * @why: then: why
 * @next: file to be renewed next
 * @alive: files that are still there, of those renewed in this tick
 * @nr_ticks: ticks that are complete
 * @status: exit status so far
 */
struct pcinspect_watch {
	const struct pcinspect_args *args;
	struct pcinspect_collect collect;
	struct pcinspect_report report;
	struct pcinspect_file *before;
	struct pcinspect_follow follow;
	struct pcinspect_ticks ticks;
	struct pcinspect_events *events;
	const char *why;
	size_t next;
	size_t alive;
	unsigned int nr_ticks;
	int status;
};

bool pcinspect_watch_start(struct pcinspect_watch *watch,
			   const struct pcinspect_args *args);
bool pcinspect_watch_renew(struct pcinspect_watch *watch, uint64_t budget_ns);
const struct pcinspect_file *pcinspect_watch_before(const struct pcinspect_watch *watch,
						    size_t file);
void pcinspect_watch_stop(struct pcinspect_watch *watch);

#endif /* PCINSPECT_WATCH_H */
