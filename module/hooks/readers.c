// SPDX-License-Identifier: GPL-2.0-only
/*
 * readers.c - which processes have pages read from which files, while somebody
 * looks at the machine.
 *
 * Why: what comes into the page cache has somebody who asked for it, and a
 * file; nobody has to be tracked to be told. Each CPU keeps the last few: one
 * that has no place gets that of the one that has not read for longest, and
 * begins at 0. So what is told of somebody is what he did, or less, never more.
 *
 * May touch: its own table of each CPU.
 *
 * Locks: a sequence count for each CPU, written by that CPU with preemption
 * disabled: no page is inserted in an interrupt.
 */
#include <linux/fs.h>
#include <linux/kdev_t.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/seqlock.h>
#include <linux/string.h>

#include "uapi/pcinspect.h"
#include "hooks/readers.h"

/*
 * struct readers_cpu - of one CPU
 * @clock: counts uses of rows
 * @serial: of the last row that was given away
 * @asker: the thread that asked last, and @asked for these pages: to be compared only
 */
struct readers_cpu {
	seqcount_t seq;
	u64 serial;
	u64 clock;
	u64 used[PCINSPECT_NR_READERS]; /* clock, when a row was last used */
	struct pcinspect_reader rows[PCINSPECT_NR_READERS];
	pid_t asker;
	const struct inode *asked;
	pgoff_t first, last;
};

static DEFINE_PER_CPU(struct readers_cpu, readers_cpus) = {
	.seq = SEQCNT_ZERO(readers_cpus.seq),
};

/* The place of a file and a process, or the one that they get. */
static struct pcinspect_reader *readers_find(struct readers_cpu *cpu,
					     const struct inode *inode, u32 pid)
{
	dev_t dev = inode->i_sb->s_dev;
	struct pcinspect_reader *row;
	int i, oldest = 0;

	cpu->clock++;
	for (i = 0; i < PCINSPECT_NR_READERS; i++) {
		row = &cpu->rows[i];
		if (row->ino == inode->i_ino && row->pid == pid &&
		    row->dev_minor == MINOR(dev) &&
		    row->dev_major == MAJOR(dev) &&
		    row->i_generation == inode->i_generation && row->serial) {
			cpu->used[i] = cpu->clock;
			return row;
		}
		if (cpu->used[i] < cpu->used[oldest])
			oldest = i;
	}
	cpu->used[oldest] = cpu->clock;
	cpu->rows[oldest] = (struct pcinspect_reader){
		.ino = inode->i_ino,
		.serial = ++cpu->serial,
		.pid = pid,
		.dev_major = MAJOR(dev),
		.dev_minor = MINOR(dev),
		.i_generation = inode->i_generation,
	};
	return &cpu->rows[oldest];
}

/* Pages of @index and on that the current thread has asked for. */
static unsigned int readers_asked(const struct readers_cpu *cpu,
				  const struct inode *inode, pgoff_t index,
				  unsigned int pages)
{
	pgoff_t first = max(index, cpu->first);
	pgoff_t last = min(index + pages - 1, cpu->last);

	if (cpu->asker != current->pid || cpu->asked != inode || first > last)
		return 0;
	return last - first + 1;
}

static void readers_add(const struct inode *inode, pgoff_t index,
			unsigned int pages, unsigned int refault_pages)
{
	struct pcinspect_reader *row;
	struct readers_cpu *cpu;

	preempt_disable_notrace();
	cpu = this_cpu_ptr(&readers_cpus);
	raw_write_seqcount_begin(&cpu->seq);
	row = readers_find(cpu, inode, current->tgid);
	row->pages += pages;
	if (pages)
		row->asked_pages += readers_asked(cpu, inode, index, pages);
	row->refault_pages += refault_pages;
	raw_write_seqcount_end(&cpu->seq);
	preempt_enable_notrace();
}

/**
 * pcinspect_readers_ask() - the current thread begins to read, or has a fault
 * @inode: the file
 * @pos: from here
 * @bytes: as far as the file reaches, not 0
 *
 * Context: an ftrace callback; never sleeps.
 */
void pcinspect_readers_ask(const struct inode *inode, u64 pos, u64 bytes)
{
	struct readers_cpu *cpu;

	preempt_disable_notrace();
	cpu = this_cpu_ptr(&readers_cpus);
	cpu->asker = current->pid;
	cpu->asked = inode;
	cpu->first = pos >> PAGE_SHIFT;
	cpu->last = (pos + bytes - 1) >> PAGE_SHIFT;
	preempt_enable_notrace();
}

/**
 * pcinspect_readers_note() - pages were inserted for the current process
 * @inode: into its mapping; alive
 * @index: the first
 * @pages: how many
 *
 * Context: a tracepoint; never sleeps.
 */
void pcinspect_readers_note(const struct inode *inode, pgoff_t index,
			    unsigned int pages)
{
	readers_add(inode, index, pages, 0);
}

/**
 * pcinspect_readers_refault() - of what was inserted, this had been evicted
 * @inode: into its mapping; alive
 * @pages: how many
 *
 * Context: an ftrace callback; never sleeps.
 */
void pcinspect_readers_refault(const struct inode *inode, unsigned int pages)
{
	readers_add(inode, 0, 0, pages);
}

/**
 * pcinspect_readers_get() - what one CPU has
 * @cpu: which
 * @rows: PCINSPECT_NR_READERS, filled in
 *
 * Context: any; spins while that CPU changes one row.
 */
void pcinspect_readers_get(int cpu, struct pcinspect_reader *rows)
{
	const struct readers_cpu *from = per_cpu_ptr(&readers_cpus, cpu);
	unsigned int seq;

	do {
		seq = read_seqcount_begin(&from->seq);
		memcpy(rows, from->rows, sizeof(from->rows));
	} while (read_seqcount_retry(&from->seq, seq));
}
