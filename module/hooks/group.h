/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * group.h - functions whose calls come to us by ftrace, without a kprobe.
 */
#ifndef PCINSPECT_GROUP_H
#define PCINSPECT_GROUP_H

#include <linux/bitmap.h>
#include <linux/ftrace.h>
#include <linux/types.h>

struct pcinspect_hook;

#define PCINSPECT_GROUP_MAX 32
#define PCINSPECT_GROUP_BITS 10
#define PCINSPECT_GROUP_WORDS BITS_TO_LONGS(1 << PCINSPECT_GROUP_BITS)

/**
 * struct pcinspect_hook_group - functions that say in the same way whom a call
 *	concerns
 * @fops: how ftrace calls them
 * @func: the callback for all of them
 * @quiet: by address: where a call has been seen and there is no run, the
 *	filter decides; all other calls are handed on
 * @loud: so of any of them; what a group of one function looks at
 * @hooks: of the functions that are traced now
 * @ips: theirs, together, as the callbacks look for them
 * @nr: how many, 0: not registered
 */
struct pcinspect_hook_group {
#ifdef PCINSPECT_HAVE_FTRACE_ARGS
	struct ftrace_ops fops;
	ftrace_func_t func;
#endif
	unsigned long quiet[PCINSPECT_GROUP_WORDS] ____cacheline_aligned_in_smp;
	bool loud;
	struct pcinspect_hook *hooks[PCINSPECT_GROUP_MAX];
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
/* Any: of functions that are called seldom. */
extern struct pcinspect_hook_group pcinspect_group_seldom;

struct pcinspect_hook *
pcinspect_group_find(const struct pcinspect_hook_group *group, unsigned long ip);
bool pcinspect_ftrace_dead(void);

size_t pcinspect_groups_memory(void);
bool pcinspect_group_accepts(const struct pcinspect_hook *hook);
void pcinspect_groups_run(bool run);
int pcinspect_group_set(struct pcinspect_hook_group *group,
			struct pcinspect_hook **hooks, unsigned int nr);

#endif /* PCINSPECT_GROUP_H */
