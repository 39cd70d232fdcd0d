/* SPDX-License-Identifier: GPL-2.0 */
/*
 * group.h - functions whose calls come to us by ftrace, without a kprobe.
 */
#ifndef PCINSPECT_GROUP_H
#define PCINSPECT_GROUP_H

#include <linux/bitmap.h>
#include <linux/ftrace.h>
#include <linux/types.h>

struct bio;
struct folio;
struct pcinspect_hook;
struct pt_regs;

#define PCINSPECT_GROUP_MAX 8
#define PCINSPECT_GROUP_BITS 10
#define PCINSPECT_GROUP_WORDS BITS_TO_LONGS(1 << PCINSPECT_GROUP_BITS)

/**
 * struct pcinspect_hook_group - functions that say in the same way whom a call
 *	concerns
 * @fops: how ftrace calls them
 * @func: the callback for all of them
 * @direct: what is called instead of it, if it can be: a trampoline (direct.c),
 *	or 0
 * @is_direct: it is
 * @quiet: by address: where a call has been seen and there is no run, the
 *	filter decides; all other calls are handed on
 * @loud: so of any of them; what a group of one function looks at
 * @hooks: of the functions that are traced now
 * @ips: theirs, as they were given
 * @nr: how many, 0: not registered
 */
struct pcinspect_hook_group {
#ifdef pcinspect_ftrace_args
	struct ftrace_ops fops;
	ftrace_func_t func;
	unsigned long direct;
	bool is_direct;
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

size_t pcinspect_groups_memory(void);
bool pcinspect_group_takes(const struct pcinspect_hook *hook);
void pcinspect_groups_run(bool run);
unsigned int pcinspect_groups_direct(void);
int pcinspect_group_set(struct pcinspect_hook_group *group,
			struct pcinspect_hook **hooks, unsigned int nr);

#ifdef pcinspect_ftrace_args
/* Also from a trampoline. */
void pcinspect_group_enter(struct pcinspect_hook_group *group, unsigned long ip,
			   struct pt_regs *regs);
#endif

#ifdef pcinspect_ftrace_direct
/* For and from the trampolines only. */
void pcinspect_direct_ractl(void);
void pcinspect_direct_iomap(void);
void pcinspect_direct_folio(void);
void pcinspect_direct_ended(void);
void pcinspect_direct_bio(void);
void pcinspect_group_call_ended(struct folio *folio, unsigned long from);
void pcinspect_group_call_bio(struct bio *bio, unsigned long from);
#endif

#endif /* PCINSPECT_GROUP_H */
