/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Old and new side of <trace/events/writeback.h>: see
 * compat-include/linux/memcontrol.h.
 */
#ifndef PCINSPECT_COMPAT_TRACE_WRITEBACK_H
#define PCINSPECT_COMPAT_TRACE_WRITEBACK_H
#include_next <trace/events/writeback.h>

/*
 * balance_dirty_pages has the thresholds as arguments in 6.1 and 6.12, and the
 * struct they are in in 7.2, which also says whether they are a cgroup's
 * (include/linux/writeback.h).
 */
#ifdef PCINSPECT_HAVE_DIRTY_THROTTLE_CONTROL

static inline bool pcinspect_dtc_is_cgroup(const struct dirty_throttle_control *dtc)
{
#ifdef CONFIG_CGROUP_WRITEBACK
	return dtc->gdtc;
#else
	return false;
#endif
}

#define PCINSPECT_THROTTLE_PROBE(name, fn)                                \
static void name(void *data, struct bdi_writeback *wb,                    \
		 struct dirty_throttle_control *dtc,                      \
		 unsigned long dirty_ratelimit,                           \
		 unsigned long task_ratelimit, unsigned long dirtied,     \
		 unsigned long period, long pause,                        \
		 unsigned long start_time)                                \
{                                                                         \
	struct pcinspect_throttle throttle = {                            \
		.thresh = dtc->thresh,                                    \
		.bg_thresh = dtc->bg_thresh,                              \
		.dirty = dtc->dirty,                                      \
		.wb_thresh = dtc->wb_thresh,                              \
		.wb_dirty = dtc->wb_dirty,                                \
		.pause = pause,                                           \
		.limit = pcinspect_dtc_is_cgroup(dtc) ?                   \
				 PCINSPECT_LIMIT_CGROUP :                 \
				 PCINSPECT_LIMIT_GLOBAL,                  \
	};                                                                \
	fn(wb, &throttle);                                                \
}                                                                         \
static_assert(true)

#else

#define PCINSPECT_THROTTLE_PROBE(name, fn)                                \
static void name(void *data, struct bdi_writeback *wb,                    \
		 unsigned long thresh, unsigned long bg_thresh,           \
		 unsigned long dirty, unsigned long bdi_thresh,           \
		 unsigned long bdi_dirty, unsigned long dirty_ratelimit,  \
		 unsigned long task_ratelimit, unsigned long dirtied,     \
		 unsigned long period, long pause,                        \
		 unsigned long start_time)                                \
{                                                                         \
	struct pcinspect_throttle throttle = {                            \
		.thresh = thresh,                                         \
		.bg_thresh = bg_thresh,                                   \
		.dirty = dirty,                                           \
		.wb_thresh = bdi_thresh,                                  \
		.wb_dirty = bdi_dirty,                                    \
		.pause = pause,                                           \
		.limit = PCINSPECT_LIMIT_UNKNOWN,                         \
	};                                                                \
	fn(wb, &throttle);                                                \
}                                                                         \
static_assert(true)

#endif

#endif
