/* SPDX-License-Identifier: GPL-2.0 */
/*
 * group.h - functions whose calls come to us by ftrace, without a kprobe.
 */
#ifndef PCINSPECT_GROUP_H
#define PCINSPECT_GROUP_H

#include <linux/bitmap.h>
#include <linux/ftrace.h>
#include <linux/types.h>

struct pcinspect_hook;
struct pt_regs;

#define PCINSPECT_GROUP_MAX 8
#define PCINSPECT_GROUP_BITS 6

/**
 * struct pcinspect_hook_group - functions that say in the same way whom a call
 *	concerns
 * @fops: the callback for all of them
 * @mult: spreads their addresses over the next two
 * @quiet: where a call has been seen and there is no run: the filter decides;
 *	all other calls are handed on
 * @hooks: which it is
 * @ips: of those that are traced now
 * @nr: how many, 0: not registered
 */
struct pcinspect_hook_group {
#ifdef pcinspect_ftrace_args
	struct ftrace_ops fops;
#endif
	u32 mult ____cacheline_aligned_in_smp;
	DECLARE_BITMAP(quiet, 1 << PCINSPECT_GROUP_BITS);
	struct pcinspect_hook *hooks[1 << PCINSPECT_GROUP_BITS];
	unsigned long ips[PCINSPECT_GROUP_MAX];
	unsigned int nr;
};

/* By what the first argument is. */
extern struct pcinspect_hook_group pcinspect_group_kiocb;
extern struct pcinspect_hook_group pcinspect_group_direct;
extern struct pcinspect_hook_group pcinspect_group_iomap;
extern struct pcinspect_hook_group pcinspect_group_ractl;
extern struct pcinspect_hook_group pcinspect_group_fault;
extern struct pcinspect_hook_group pcinspect_group_folio;
extern struct pcinspect_hook_group pcinspect_group_bio;
extern struct pcinspect_hook_group pcinspect_group_ended;

size_t pcinspect_groups_memory(void);
bool pcinspect_group_takes(const struct pcinspect_hook *hook);
void pcinspect_groups_run(bool run);
int pcinspect_group_set(struct pcinspect_hook_group *group,
			struct pcinspect_hook **hooks, unsigned int nr);

#endif /* PCINSPECT_GROUP_H */
