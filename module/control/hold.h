/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hold.h - explicit records that last as long as an open /dev/pcinspect.
 */
#ifndef PCINSPECT_HOLD_H
#define PCINSPECT_HOLD_H

#include <linux/types.h>

struct inode;
struct pcinspect_hold;

struct pcinspect_hold *pcinspect_hold_new(void);
int pcinspect_hold_track(struct pcinspect_hold *hold, struct inode *inode,
			 u64 *id);
int pcinspect_hold_untrack(struct pcinspect_hold *hold, u64 id);
void pcinspect_hold_free(struct pcinspect_hold *hold);

#endif /* PCINSPECT_HOLD_H */
