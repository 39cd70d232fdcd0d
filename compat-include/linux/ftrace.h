/* SPDX-License-Identifier: GPL-2.0-only */
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

#endif /* PCINSPECT_COMPAT_FTRACE_H */
