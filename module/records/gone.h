/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gone.h - records that ended: deleted files of a run one by one, and the sums
 * of all others.
 */
#ifndef PCINSPECT_GONE_H
#define PCINSPECT_GONE_H

#include <linux/types.h>

#include "uapi/pcinspect.h"

struct pcinspect_record;

/* Deleted files of a run that are kept one by one. */
#define PCINSPECT_NR_DELETED 512

/*
 * struct pcinspect_gone - the sum of a filesystem's retired records
 * @ledgers: of those that had a ledger; those that had none are in another row
 * @inodes: so many records
 * @inserted: their pages
 * @off_device: some ledger is of a filesystem that reads from no block device
 * @no_holes: of some ledger it is unknown which pages were holes
 * @no_write_device: or what was written to the device
 * @no_throttled: or whether its writers slept
 * @no_write_time: or whether all writeback has ended
 *
 * Counts of ledgers, and whether they are known, are since the last run began.
 */
struct pcinspect_gone {
	u32 dev;
	char fs[PCINSPECT_FS_LEN];
	bool ledgers;
	u64 inodes;
	u64 inserted;
	u64 removed;
	bool off_device;
	bool no_holes;
	bool no_write_device;
	bool no_throttled;
	bool no_write_time;
};

typedef int (*pcinspect_deleted_fn)(const struct pcinspect_record *rec,
				    void *arg);

void pcinspect_gone_expect(void);
bool pcinspect_gone_add(struct pcinspect_record *rec);
void pcinspect_gone_wait(void);
int pcinspect_gone_list_begin(void);
void pcinspect_gone_list_end(void);
int pcinspect_gone_then(unsigned int i, struct pcinspect_gone *gone,
			u64 *numbers);
int pcinspect_gone_get(unsigned int i, struct pcinspect_gone *gone);
void pcinspect_gone_keep(void);
void pcinspect_gone_forget(void);
int pcinspect_gone_for_each(pcinspect_deleted_fn fn, void *arg);

#endif /* PCINSPECT_GONE_H */
