/* SPDX-License-Identifier: GPL-2.0 */
/*
 * writes.h - the write ledger's rules: who made pages dirty, why and for how
 * long they were written back, who had to wait. Called by the hooks.
 */
#ifndef PCINSPECT_WRITES_H
#define PCINSPECT_WRITES_H

#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/types.h>

#include "frame.h"
#include "ledger.h"
#include "track.h"

struct bdi_writeback;
struct bio;
struct writeback_control;

/**
 * struct pcinspect_throttle - a task has to wait before it dirties more
 * @thresh: the threshold it is held against, in pages
 * @bg_thresh: the background threshold beside it
 * @dirty: dirty pages of that domain
 * @wb_thresh: the device's share of @thresh
 * @wb_dirty: the device's dirty pages
 * @pause: for how long, in jiffies; nothing to wait for if not positive
 * @limit: whose limit, if the kernel says so
 */
struct pcinspect_throttle {
	unsigned long thresh;
	unsigned long bg_thresh;
	unsigned long dirty;
	unsigned long wb_thresh;
	unsigned long wb_dirty;
	long pause;
	enum pcinspect_limit limit;
};

void pcinspect_writes_dirtied(struct folio *folio,
			      struct address_space *mapping);
void pcinspect_writes_truncated(const struct inode *inode);
void pcinspect_writes_begin(struct folio *folio);
void pcinspect_writes_end(struct folio *folio);
void pcinspect_writes_removed(struct pcinspect_record *rec,
			      const struct folio *folio);
void pcinspect_writes_settle(const struct pcinspect_frame *frame, s64 done);
void pcinspect_writes_bio(struct bio *bio);
void pcinspect_writes_throttled(const struct bdi_writeback *wb,
				const struct pcinspect_throttle *throttle);
bool pcinspect_writes_sleeps(void);
void pcinspect_writes_slept(u64 ns);
enum pcinspect_reason
pcinspect_writes_reason(const struct address_space *mapping,
			const struct writeback_control *wbc);
u64 pcinspect_writes_ended(bool file);
void pcinspect_writes_reset(void);

#endif /* PCINSPECT_WRITES_H */
