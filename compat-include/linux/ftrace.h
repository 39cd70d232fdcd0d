/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ftrace.h - the arguments of a traced function, for kernels that hand them to
 * a callback in a struct pt_regs without saving all of it.
 *
 * x86 since 2860cd8a2353 ("livepatch: Use the default ftrace_ops instead of
 * REGS when ARGS is available", 5.11), with the stack pointer since
 * 0c0593b45c9b ("x86/ftrace: Make function graph use ftrace directly", 5.16);
 * behind a macro since e4cf33ca4812 ("ftrace: Consolidate ftrace_regs accessor
 * functions for archs using pt_regs", 6.13). arm64 hands over only what a call
 * depends on (struct __arch_ftrace_regs): for a probe it is copied, and what a
 * kretprobe has put in place of the return address is copied back. Others are asked
 * for all registers or, where ftrace has none to give, have no hooks on functions.
 *
 * All callbacks are permanent: while one is there kernel.ftrace_enabled cannot be
 * set to 0, and while that is 0 none can be registered (ftrace_enable_sysctl(),
 * __register_ftrace_function(), 6.1 to 7.2). Else nobody would be called, and told so.
 */
#ifndef PCINSPECT_COMPAT_FTRACE_H
#define PCINSPECT_COMPAT_FTRACE_H

#include_next <linux/ftrace.h>

#if defined(CONFIG_ARM64) && defined(CONFIG_DYNAMIC_FTRACE_WITH_ARGS)
#define PCINSPECT_HAVE_FTRACE_ARGS
#define PCINSPECT_FTRACE_FLAGS FTRACE_OPS_FL_PERMANENT
#define pcinspect_ftrace_arg(fregs, n) ftrace_regs_get_argument(fregs, n)

struct pcinspect_ftrace_copy {
	struct pt_regs regs;
};

static inline struct pt_regs *
pcinspect_ftrace_enter(struct ftrace_regs *fregs, struct pcinspect_ftrace_copy *copy)
{
	return ftrace_partial_regs(fregs, &copy->regs);
}

static inline void pcinspect_ftrace_leave(struct ftrace_regs *fregs,
					  const struct pcinspect_ftrace_copy *copy)
{
	arch_ftrace_regs(fregs)->lr = copy->regs.regs[30];
}

/* Where ftrace calls from, in a function: behind "bti c" and "mov x9, lr". */
static inline unsigned long pcinspect_ftrace_ip(const void *function)
{
	const __le32 *first = function;

	return (unsigned long)(first + (le32_to_cpu(*first) == 0xd503245f ? 2 : 1));
}

/* A kprobe on a function's entry is another thing there. */
#define PCINSPECT_FTRACE_IS_KPROBE false

#else
#if defined(CONFIG_X86_64) && defined(CONFIG_DYNAMIC_FTRACE_WITH_ARGS)
#define PCINSPECT_HAVE_FTRACE_ARGS
#define PCINSPECT_FTRACE_FLAGS FTRACE_OPS_FL_PERMANENT
#ifdef arch_ftrace_regs
#define pcinspect_ftrace_regs(fregs) (&arch_ftrace_regs(fregs)->regs)
#else
#define pcinspect_ftrace_regs(fregs) (&(fregs)->regs)
#endif
#elif defined(CONFIG_DYNAMIC_FTRACE_WITH_REGS)
#define PCINSPECT_HAVE_FTRACE_ARGS
#define PCINSPECT_FTRACE_FLAGS \
	(FTRACE_OPS_FL_PERMANENT | FTRACE_OPS_FL_SAVE_REGS)
#define pcinspect_ftrace_regs(fregs) ftrace_get_regs(fregs)
#endif

#ifdef PCINSPECT_HAVE_FTRACE_ARGS
#define pcinspect_ftrace_arg(fregs, n) \
	regs_get_kernel_argument(pcinspect_ftrace_regs(fregs), n)

struct pcinspect_ftrace_copy {
};

static inline struct pt_regs *
pcinspect_ftrace_enter(struct ftrace_regs *fregs, struct pcinspect_ftrace_copy *copy)
{
	return pcinspect_ftrace_regs(fregs);
}

static inline void pcinspect_ftrace_leave(struct ftrace_regs *fregs,
					  const struct pcinspect_ftrace_copy *copy)
{
}

static inline unsigned long pcinspect_ftrace_ip(const void *function)
{
	return (unsigned long)function;
}

#define PCINSPECT_FTRACE_IS_KPROBE true
#endif
#endif

#endif /* PCINSPECT_COMPAT_FTRACE_H */
