// SPDX-License-Identifier: GPL-2.0-only
/*
 * readers.c - the processes that read, evict and dirty pages, by file, with
 * their causes, for live views of the machine.
 *
 * Why: each inserted page has a file and a task that caused it; no file has to
 * be tracked for that. Each CPU keeps the last few tasks: a new one replaces
 * the one that has not read for longest, and begins at 0. So a task's numbers
 * are its own or less, never more. Evicting tasks have places of their own,
 * because reclaim takes pages of many files; writers as well.
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
 * @migrations: of it by then: if it has been to another CPU, it has asked there since
 * @fault: it asked by a fault
 */
struct readers_cpu {
	seqcount_t seq;
	u64 serial;
	u64 clock;
	u64 used[PCINSPECT_READER_ROWS]; /* clock, when a row was last used */
	struct pcinspect_reader rows[PCINSPECT_READER_ROWS];
	pid_t asker;
	bool fault;
	u64 migrations;
	const struct inode *asked;
	pgoff_t first, last;
};

static DEFINE_PER_CPU(struct readers_cpu, readers_cpus) = {
	.seq = SEQCNT_ZERO(readers_cpus.seq),
};

/* The place of a file and a process, or the one that they get; the first is @at. */
static struct pcinspect_reader *readers_find(struct readers_cpu *cpu, int at,
					     const struct inode *inode, u32 pid)
{
	dev_t dev = inode->i_sb->s_dev;
	struct pcinspect_reader *row;
	int i, oldest = at;

	cpu->clock++;
	for (i = at; i < at + PCINSPECT_NR_READERS; i++) {
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

/* Its place on this CPU, until readers_put(). */
static struct pcinspect_reader *readers_get(int at, const struct inode *inode)
{
	struct readers_cpu *cpu;

	preempt_disable_notrace();
	cpu = this_cpu_ptr(&readers_cpus);
	raw_write_seqcount_begin(&cpu->seq);
	return readers_find(cpu, at, inode, current->tgid);
}

static void readers_put(void)
{
	raw_write_seqcount_end(&this_cpu_ptr(&readers_cpus)->seq);
	preempt_enable_notrace();
}

/* Why the pages from @index on were inserted, if the thread has asked here last. */
static void readers_cause(const struct readers_cpu *cpu,
			  struct pcinspect_reader *row,
			  const struct inode *inode, pgoff_t index,
			  unsigned int pages)
{
	pgoff_t first = max(index, cpu->first);
	pgoff_t last = min(index + pages - 1, cpu->last);
	unsigned int asked = first > last ? 0 : last - first + 1;

	if (cpu->asker != current->pid || cpu->asked != inode ||
	    cpu->migrations != current->se.nr_migrations)
		return;
	row->asked_pages += asked;
	if (cpu->fault)
		row->around_pages += pages - asked;
	else
		row->ahead_pages += pages - asked;
}

/**
 * pcinspect_readers_ask() - the current thread begins to read, or has a fault
 * @inode: the file
 * @pos: from here
 * @bytes: as far as the file reaches, not 0
 * @fault: which of the two
 *
 * Context: an ftrace callback; never sleeps.
 */
void pcinspect_readers_ask(const struct inode *inode, u64 pos, u64 bytes,
			   bool fault)
{
	struct readers_cpu *cpu;

	preempt_disable_notrace();
	cpu = this_cpu_ptr(&readers_cpus);
	cpu->asker = current->pid;
	cpu->migrations = current->se.nr_migrations;
	cpu->fault = fault;
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
	struct pcinspect_reader *row = readers_get(0, inode);

	row->pages += pages;
	readers_cause(this_cpu_ptr(&readers_cpus), row, inode, index, pages);
	readers_put();
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
	readers_get(0, inode)->refault_pages += pages;
	readers_put();
}

/**
 * pcinspect_readers_evict() - pages are removed while the current process reclaims
 * @inode: from its mapping; alive
 * @pages: how many
 *
 * Context: a tracepoint, in reclaim; never sleeps, allocates nothing.
 */
void pcinspect_readers_evict(const struct inode *inode, unsigned int pages)
{
	readers_get(PCINSPECT_NR_READERS, inode)->evicted_pages += pages;
	readers_put();
}

/**
 * pcinspect_readers_dirty() - pages become dirty by the current process
 * @inode: of its mapping; alive
 * @pages: how many
 *
 * Context: a tracepoint; never sleeps.
 */
void pcinspect_readers_dirty(const struct inode *inode, unsigned int pages)
{
	readers_get(2 * PCINSPECT_NR_READERS, inode)->dirtied_pages += pages;
	readers_put();
}

/**
 * pcinspect_readers_get() - what one CPU has
 * @cpu: which
 * @rows: PCINSPECT_READER_ROWS, filled in
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

/* Reads, faults and refaults were not seen: what depends on them is unknown. */
void pcinspect_readers_unknown(struct pcinspect_reader *rows)
{
	unsigned int i;

	for (i = 0; i < PCINSPECT_NR_READERS; i++) {
		rows[i].asked_pages = PCINSPECT_UNKNOWN;
		rows[i].ahead_pages = PCINSPECT_UNKNOWN;
		rows[i].around_pages = PCINSPECT_UNKNOWN;
		rows[i].refault_pages = PCINSPECT_UNKNOWN;
	}
}
