/* SPDX-License-Identifier: GPL-2.0 */
/*
 * gone.h - the sums of records that ended.
 */
#ifndef PCINSPECT_GONE_H
#define PCINSPECT_GONE_H

#include <linux/types.h>

#include "uapi/pcinspect.h"

struct pcinspect_record;

/* struct pcinspect_gone - the sum of a filesystem's retired records */
struct pcinspect_gone {
	u32 dev;
	char fs[PCINSPECT_FS_LEN];
	u64 inodes; /* so many records */
	u64 inserted; /* their pages */
	u64 removed;
	u64 device_bytes; /* what their ledgers had of it */
	u64 written; /* pages handed to writeback */
};

void pcinspect_gone_expect(void);
void pcinspect_gone_add(const struct pcinspect_record *rec);
void pcinspect_gone_wait(void);
int pcinspect_gone_get(unsigned int i, struct pcinspect_gone *gone);

#endif /* PCINSPECT_GONE_H */
