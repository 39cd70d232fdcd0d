/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * evictor.h - for whose sake kswapd reclaims: an inference, labelled as one.
 */
#ifndef PCINSPECT_EVICTOR_H
#define PCINSPECT_EVICTOR_H

#include <linux/compiler.h>
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/seqlock.h>

#include "records/operation.h"

struct pcinspect_culprit;

#define PCINSPECT_EVICTOR_SLOTS 4

/*
 * struct pcinspect_evictor_slot - one file being filled by one process
 * @seq: around a change of which file and process
 * @at: jiffies when it was last added to
 * @wakes: of kswapd, by then
 */
struct pcinspect_evictor_slot {
	u64 pages;
	seqcount_t seq;
	struct pcinspect_file_id file;
	unsigned int wakes;
	u32 pid;
	unsigned long at;
	char comm[TASK_COMM_LEN];
};

/**
 * struct pcinspect_evictor_cpu - what is filled on one CPU
 * @last: the slot that was last added to
 * @task: by whom; compared, never followed
 */
struct pcinspect_evictor_cpu {
	struct pcinspect_evictor_slot *last;
	const struct task_struct *task;
	struct pcinspect_evictor_slot slots[PCINSPECT_EVICTOR_SLOTS];
} ____cacheline_aligned_in_smp;

extern struct pcinspect_evictor_cpu __percpu *pcinspect_evictors;

void pcinspect_evictor_other(const struct inode *inode, unsigned int pages);
/*
 * The running task put pages of @inode, alive, in the cache. Context:
 * preemption off, task context; never sleeps.
 */
static __always_inline void pcinspect_evictor_filled(const struct inode *inode,
						     unsigned int pages)
{
	struct pcinspect_evictor_cpu *cpu = this_cpu_ptr(pcinspect_evictors);
	struct pcinspect_evictor_slot *slot = cpu->last;

	if (likely(cpu->task == current && slot->file.inode == inode &&
		   slot->file.ino == inode->i_ino &&
		   !time_after(jiffies, slot->at)))
		WRITE_ONCE(slot->pages, slot->pages + pages);
	else
		pcinspect_evictor_other(inode, pages);
}

void pcinspect_evictor_wake(void);
void pcinspect_evictor_infer(unsigned int pages, struct pcinspect_culprit *by);
void pcinspect_evictor_own(struct pcinspect_culprit *by);
void pcinspect_evictor_reset(void);
size_t pcinspect_evictor_memory(void);
int pcinspect_evictor_init(void);
void pcinspect_evictor_exit(void);

#endif /* PCINSPECT_EVICTOR_H */
