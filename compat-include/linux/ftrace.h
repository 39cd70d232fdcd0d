/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ftrace.h - the arguments of a traced function, for kernels that hand them to
 * a callback in a struct pt_regs without saving all of it.
 *
 * x86 since 2860cd8a2353 ("livepatch: Use the default ftrace_ops instead of
 * REGS when ARGS is available", 5.11), with the stack pointer since
 * 0c0593b45c9b ("x86/ftrace: Make function graph use ftrace directly", 5.16);
 * behind a macro since e4cf33ca4812 ("ftrace: Consolidate ftrace_regs accessor
 * functions for archs using pt_regs", 6.13). Others are asked for all registers
 * or, where ftrace has none to give (arm64), have kprobes only.
 *
 * All callbacks are permanent: while one is there kernel.ftrace_enabled cannot be
 * set to 0, and while that is 0 none can be registered (ftrace_enable_sysctl(),
 * __register_ftrace_function(), 6.1 to 7.2). Else nobody would be called, and told so.
 */
#ifndef PCINSPECT_COMPAT_FTRACE_H
#define PCINSPECT_COMPAT_FTRACE_H

#include_next <linux/ftrace.h>

#if defined(CONFIG_X86_64) && defined(CONFIG_DYNAMIC_FTRACE_WITH_ARGS)
#define PCINSPECT_FTRACE_FLAGS FTRACE_OPS_FL_PERMANENT
#ifdef arch_ftrace_regs
#define pcinspect_ftrace_args(fregs) (&arch_ftrace_regs(fregs)->regs)
#else
#define pcinspect_ftrace_args(fregs) (&(fregs)->regs)
#endif
#elif defined(CONFIG_DYNAMIC_FTRACE_WITH_REGS)
#define PCINSPECT_FTRACE_FLAGS \
	(FTRACE_OPS_FL_PERMANENT | FTRACE_OPS_FL_SAVE_REGS)
#define pcinspect_ftrace_args(fregs) ftrace_get_regs(fregs)
#endif

/*
 * A trampoline of one's own, called directly by functions: of several functions
 * since f64dd4627ec6 ("ftrace: Add multi direct register/unregister interface",
 * 5.16), by this name since da8bdfbd4223 ("ftrace: Rename _ftrace_direct_multi APIs
 * to _ftrace_direct APIs", 6.4). Not where stacks are walked by frame pointers: a
 * function has no frame yet where it calls us, so that its caller would be missing
 * (save_mcount_regs, arch/x86/kernel/ftrace_64.S, pushes two for that).
 */
#if defined(CONFIG_X86_64) && defined(CONFIG_DYNAMIC_FTRACE_WITH_ARGS) && \
	defined(CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS) && \
	!defined(CONFIG_FRAME_POINTER)
#ifdef PCINSPECT_HAVE_FTRACE_DIRECT_MULTI
#define pcinspect_ftrace_direct(ops, addr) register_ftrace_direct_multi(ops, addr)
#define pcinspect_ftrace_undirect(ops, addr) \
	unregister_ftrace_direct_multi(ops, addr)
#else
#define pcinspect_ftrace_direct(ops, addr) register_ftrace_direct(ops, addr)
#define pcinspect_ftrace_undirect(ops, addr) \
	unregister_ftrace_direct(ops, addr, false)
#endif
#endif

#endif /* PCINSPECT_COMPAT_FTRACE_H */
