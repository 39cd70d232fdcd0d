/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fsync.h - the anatomy of fsync(2)-like calls.
 */
#ifndef PCINSPECT_FSYNC_H
#define PCINSPECT_FSYNC_H

#include <linux/types.h>

struct address_space;
struct bio;
struct file;
struct request;

int pcinspect_fsync_begin(const struct file *file, u32 kind, u8 *depth);
void pcinspect_fsync_end(u8 depth);
bool pcinspect_fsync_waits(const struct address_space *mapping);
void pcinspect_fsync_waited(u64 ns, bool log);
void pcinspect_fsync_request(struct request *rq, bool back);
void pcinspect_fsync_split(struct bio *bio);
u64 pcinspect_fsync_calls(void);
void pcinspect_fsync_reset(void);

#endif /* PCINSPECT_FSYNC_H */
