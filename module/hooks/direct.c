// SPDX-License-Identifier: GPL-2.0
/*
 * direct.c - trampolines of our own, which the kernel calls directly
 * (register_ftrace_direct()) instead of a callback of ftrace.
 *
 * Why: ftrace's own way to a callback and back is 37 instructions, whatever the
 * callback does; a window of readahead is up to four functions, one inside the
 * other, a folio of writeback two. Of a file that nobody asked about a
 * trampoline asks the filter in a dozen, in registers that are nobody's at a
 * function's entry (rax, r10, r11), and returns. Where it cannot be used,
 * because another has the function (there can be one, as a BPF program's) or by
 * direct_calls=0, the group's callback asks the same (group.c).
 *
 * The calling convention is x86-64's; others have callbacks or kprobes.
 *
 * Context: that of the functions; the slow path as a callback of ftrace. A task
 * that is preempted in here is waited for when the group ends, as in
 * trampolines of ftrace (ftrace_shutdown(): synchronize_rcu_tasks()).
 *
 * May touch: nothing; it reads the filter, and calls group.c.
 */
#include <linux/ftrace.h>

#include "hooks/group.h"

#ifdef pcinspect_ftrace_direct

#include <asm/nospec-branch.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/iomap.h>
#include <linux/mm_types.h>
#include <linux/objtool.h>
#include <linux/page-flags.h>
#include <linux/pagemap.h>
#include <linux/ptrace.h>
#include <linux/stringify.h>

#include "records/track.h"

#ifdef FOLIO_MAPPING_ANON
static_assert(FOLIO_MAPPING_ANON == 1);
#else
static_assert(PAGE_MAPPING_ANON == 1);
#endif

#ifndef CALL_DEPTH_ACCOUNT
#define CALL_DEPTH_ACCOUNT "" /* before 6.2 */
#endif

/* clang-format off */
/* Numbers for the assembler; never called. */
static noinline notrace void __used direct_numbers(void)
{
	asm volatile(".set .Ldirect_regs, %c[regs]\n"
		".set .Ldirect_di, %c[di]\n"
		".set .Ldirect_si, %c[si]\n"
		".set .Ldirect_dx, %c[dx]\n"
		".set .Ldirect_cx, %c[cx]\n"
		".set .Ldirect_r8, %c[r8]\n"
		".set .Ldirect_r9, %c[r9]\n"
		".set .Ldirect_sp, %c[sp]\n"
		".set .Ldirect_ip, %c[ip]\n"
		".set .Ldirect_call, %c[call]\n"
		".set .Ldirect_quiet, %c[quiet]\n"
		".set .Ldirect_loud, %c[loud]\n"
		".set .Ldirect_quiet_shift, %c[quiet_shift]\n"
		".set .Ldirect_filter_shift, %c[filter_shift]\n"
		".set .Ldirect_golden, %c[golden]\n"
		".set .Ldirect_ractl_mapping, %c[ractl_mapping]\n"
		".set .Ldirect_folio_mapping, %c[folio_mapping]\n"
		".set .Ldirect_mapping_host, %c[mapping_host]\n"
		".set .Ldirect_iocb_filp, %c[iocb_filp]\n"
		".set .Ldirect_file_mapping, %c[file_mapping]\n"
		".set .Ldirect_inode_flags, %c[inode_flags]\n"
		".set .Ldirect_encrypted, %c[encrypted]\n"
		".set .Ldirect_submit_io, %c[submit_io]\n"
		::
		[regs] "i"(sizeof(struct pt_regs)),
		[di] "i"(offsetof(struct pt_regs, di)),
		[si] "i"(offsetof(struct pt_regs, si)),
		[dx] "i"(offsetof(struct pt_regs, dx)),
		[cx] "i"(offsetof(struct pt_regs, cx)),
		[r8] "i"(offsetof(struct pt_regs, r8)),
		[r9] "i"(offsetof(struct pt_regs, r9)),
		[sp] "i"(offsetof(struct pt_regs, sp)),
		[ip] "i"(offsetof(struct pt_regs, ip)),
		[call] "i"(MCOUNT_INSN_SIZE),
		[quiet] "i"(offsetof(struct pcinspect_hook_group, quiet)),
		[loud] "i"(offsetof(struct pcinspect_hook_group, loud)),
		[quiet_shift] "i"(32 - PCINSPECT_GROUP_BITS),
		[filter_shift] "i"(32 - PCINSPECT_FILTER_BITS),
		[golden] "i"(GOLDEN_RATIO_32),
		[ractl_mapping] "i"(offsetof(struct readahead_control, mapping)),
		[folio_mapping] "i"(offsetof(struct folio, mapping)),
		[mapping_host] "i"(offsetof(struct address_space, host)),
		[iocb_filp] "i"(offsetof(struct kiocb, ki_filp)),
		[file_mapping] "i"(offsetof(struct file, f_mapping)),
		[inode_flags] "i"(offsetof(struct inode, i_flags)),
		[encrypted] "i"(S_ENCRYPTED),
		[submit_io] "i"(offsetof(struct iomap_dio_ops, submit_io)));
}

asm(".macro direct_begin name\n"
	".pushsection .text, \"ax\", @progbits\n"
	".balign 16\n" /* The lowest bit of a trampoline's address is ftrace's (7.2). */
	".type pcinspect_direct_\\name, @function\n"
	".globl pcinspect_direct_\\name\n"
	"pcinspect_direct_\\name:\n"
	ANNOTATE_NOENDBR "\n"
	".endm\n"

	".macro direct_end name\n"
	".size pcinspect_direct_\\name, .-pcinspect_direct_\\name\n"
	".popsection\n"
	".endm\n"

	/* r10 is the hash of an inode: to 1 if it may have a ledger. */
	".macro direct_if_ledger\n"
	"shrl $.Ldirect_filter_shift, %r10d\n"
	"btq %r10, pcinspect_track_filter(%rip)\n"
	"jc 1f\n"
	".endm\n"

	/* To 1 if all calls are handed on, as group_asks(); else back. */
	".macro direct_if_asked name\n"
	"imull $.Ldirect_golden, (%rsp), %eax\n"
	"shrl $.Ldirect_quiet_shift, %eax\n"
	"btq %rax, pcinspect_group_\\name+.Ldirect_quiet(%rip)\n"
	"jnc 1f\n"
	"direct_else \\name\n"
	".endm\n"

	/* The same of a group of one function, as group_asks_all(). */
	".macro direct_if_asked_all name\n"
	"cmpb $0, pcinspect_group_\\name+.Ldirect_loud(%rip)\n"
	"jne 1f\n"
	"direct_else \\name\n"
	".endm\n"

	".macro direct_else name\n"
	ASM_RET
	"1: leaq pcinspect_group_\\name(%rip), %rax\n"
	"jmp pcinspect_direct_enter\n"
	".endm\n"

	/* A function of one argument: C is called each time, with where it goes on. */
	".macro direct_always name\n"
	"direct_begin \\name\n"
	CALL_DEPTH_ACCOUNT "\n"
	"movq (%rsp), %rsi\n"
	"pushq %rdi\n"
	"call pcinspect_group_call_\\name\n"
	"popq %rdi\n"
	ASM_RET
	"direct_end \\name\n"
	".endm\n"

	/* rax: the group; the rest as at the function's entry. */
	"direct_begin enter\n"
	"subq $.Ldirect_regs, %rsp\n"
	"movq %rdi, .Ldirect_di(%rsp)\n"
	"movq %rsi, .Ldirect_si(%rsp)\n"
	"movq %rdx, .Ldirect_dx(%rsp)\n"
	"movq %rcx, .Ldirect_cx(%rsp)\n"
	"movq %r8, .Ldirect_r8(%rsp)\n"
	"movq %r9, .Ldirect_r9(%rsp)\n"
	/* Whom the function returns to, for its return to be probed. */
	"leaq .Ldirect_regs+8(%rsp), %r11\n"
	"movq %r11, .Ldirect_sp(%rsp)\n"
	"movq .Ldirect_regs(%rsp), %rsi\n"
	"movq %rsi, .Ldirect_ip(%rsp)\n"
	"subq $.Ldirect_call, %rsi\n"
	"movq %rax, %rdi\n"
	"movq %rsp, %rdx\n"
	"call pcinspect_group_enter\n"
	"movq .Ldirect_di(%rsp), %rdi\n"
	"movq .Ldirect_si(%rsp), %rsi\n"
	"movq .Ldirect_dx(%rsp), %rdx\n"
	"movq .Ldirect_cx(%rsp), %rcx\n"
	"movq .Ldirect_r8(%rsp), %r8\n"
	"movq .Ldirect_r9(%rsp), %r9\n"
	"addq $.Ldirect_regs, %rsp\n"
	ASM_RET
	"direct_end enter\n"

	/* Functions of a struct readahead_control: as group_ractl(). */
	"direct_begin ractl\n"
	CALL_DEPTH_ACCOUNT "\n"
	"movq .Ldirect_ractl_mapping(%rdi), %r10\n"
	"imull $.Ldirect_golden, .Ldirect_mapping_host(%r10), %r10d\n"
	"direct_if_ledger\n"
	"direct_if_asked ractl\n"
	"direct_end ractl\n"

	/* __iomap_dio_rw(iocb, iter, ops, dops): as group_iomap(). */
	"direct_begin iomap\n"
	CALL_DEPTH_ACCOUNT "\n"
	"movq .Ldirect_iocb_filp(%rdi), %r10\n"
	"movq .Ldirect_file_mapping(%r10), %r10\n"
	"movq .Ldirect_mapping_host(%r10), %r10\n"
	"testl $.Ldirect_encrypted, .Ldirect_inode_flags(%r10)\n"
	"jnz 1f\n"
	"testq %rcx, %rcx\n"
	"jz 2f\n"
	"cmpq $0, .Ldirect_submit_io(%rcx)\n"
	"jne 1f\n"
	"2: imull $.Ldirect_golden, %r10d, %r10d\n"
	"direct_if_ledger\n"
	"direct_if_asked_all iomap\n"
	"direct_end iomap\n"

	/* __folio_start_writeback(folio, ...): as group_folio(). */
	"direct_begin folio\n"
	CALL_DEPTH_ACCOUNT "\n"
	"movq .Ldirect_folio_mapping(%rdi), %r10\n"
	"testq %r10, %r10\n"
	"jz 2f\n"
	"testb $1, %r10b\n"
	"jnz 2f\n"
	"imull $.Ldirect_golden, .Ldirect_mapping_host(%r10), %r10d\n"
	"direct_if_ledger\n"
	"2:\n"
	"direct_if_asked folio\n"
	"direct_end folio\n"

	"direct_always ended\n" /* __folio_end_writeback(folio) */
	"direct_always bio\n"); /* submit_bio(bio) */
/* clang-format on */

#endif /* pcinspect_ftrace_direct */
