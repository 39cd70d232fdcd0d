// SPDX-License-Identifier: GPL-2.0-only
/*
 * render_reads.c - readahead windows, and who used an inode, as text.
 * Documented in docs/pcinspect.5. Unknown is "?", never 0.
 *
 * May touch: only the structs it is given.
 */
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "uapi/pcinspect.h"
#include "surface/render.h"

/* The first section of a type behind a row. Return: the contents, or NULL. */
const void *pcinspect_render_section(const struct pcinspect_snapshot *snap,
				     u32 type, size_t *size)
{
	size_t at = pcinspect_sections_at(snap);

	while (at + sizeof(struct pcinspect_section) <= snap->record_size) {
		const struct pcinspect_section *section = (void *)snap + at;

		if (section->type == type) {
			*size = section->size - sizeof(*section);
			return section + 1;
		}
		at += section->size;
	}
	return NULL;
}

/* Print a thread's name as one word. */
void pcinspect_render_comm(struct seq_file *m, const char *comm)
{
	char word[4 * PCINSPECT_COMM_LEN];

	pcinspect_render_escape(word, sizeof(word), comm,
				strnlen(comm, PCINSPECT_COMM_LEN));
	seq_puts(m, *word ? word : "?");
}

static void render_culprits(struct seq_file *m, const char *title,
			    const struct pcinspect_culprit *who, bool evictors,
			    u64 others)
{
	int i;

	for (i = 0; i < PCINSPECT_NR_CULPRITS && who[i].pages; i++) {
		seq_printf(m, "%s: %llu %u ", title, who[i].pages, who[i].pid);
		pcinspect_render_comm(m, who[i].comm);
		if (!evictors)
			seq_printf(m, " %s\n",
				   pcinspect_remover_op_word(who[i].remover_op));
		else if (who[i].ino)
			seq_printf(m, " %s %u:%u:%llu\n",
				   who[i].inferred ? "inferred" : "exact",
				   who[i].dev_major, who[i].dev_minor,
				   who[i].ino);
		else
			seq_printf(m, " %s ?\n",
				   who[i].inferred ? "inferred" : "exact");
	}
	if (others)
		seq_printf(m, "%s: %llu ? (others) %s\n", title, others,
			   evictors ? "? ?" : "?");
}

static void render_task(struct seq_file *m,
			const struct pcinspect_snapshot *snap,
			const struct pcinspect_task *task, bool others)
{
	if (others)
		seq_puts(m, "task: ? (others)");
	else
		seq_printf(m, "task: %u ", task->pid);
	if (!others)
		pcinspect_render_comm(m, task->comm);
	pcinspect_render_maybe(m,
			       pcinspect_known(snap, PCINSPECT_DEMANDED_BYTES),
			       task->demanded_bytes);
	pcinspect_render_maybe(m, pcinspect_known(snap, PCINSPECT_DEVICE_BYTES),
			       task->device_bytes);
	pcinspect_render_maybe(m, true, task->inserted_pages);
	seq_putc(m, '\n');
}

/* The file inode/…/reads. */
void pcinspect_render_reads(struct seq_file *m,
			    const struct pcinspect_snapshot *snap)
{
	const struct pcinspect_who *who;
	size_t size;
	int i;

	who = pcinspect_render_section(snap, PCINSPECT_SECTION_WHO, &size);
	if (who)
		seq_printf(m, "interval_ns: %llu\n",
			   snap->time_ns > snap->ledger_since_ns ?
				   snap->time_ns - snap->ledger_since_ns :
				   0);
	pcinspect_render_numbers(m, PCINSPECT_RENDER_READS, snap);
	if (!who)
		return;
	render_culprits(m, "evicted_by", who->evictors, true,
			who->evictors_other_pages);
	render_culprits(m, "removed_by", who->removers, false,
			who->removers_other_pages);
	for (i = 0; i < PCINSPECT_NR_TASKS && who->tasks[i].comm[0]; i++)
		render_task(m, snap, &who->tasks[i], false);
	if (who->others.demanded_bytes || who->others.device_bytes ||
	    who->others.inserted_pages)
		render_task(m, snap, &who->others, true);
}

#define WINDOW_NUMBER(member, name, heading, rank) \
	{ name, offsetof(struct pcinspect_window, member) },

/* The numbers of a window, each of 32 bits. */
static const struct {
	const char *name;
	size_t offset;
} window_numbers[] = { PCINSPECT_WINDOW_NUMBERS(WINDOW_NUMBER) };

/* The first line of readahead. */
void pcinspect_render_windows_header(struct seq_file *m)
{
	unsigned int i;

	seq_puts(m, "inode i_generation fs kind time_ns pid comm cause index");
	for (i = 0; i < ARRAY_SIZE(window_numbers); i++)
		seq_printf(m, " %s", window_numbers[i].name);
	seq_puts(m, " path\n");
}

/* An inode's lines of readahead, newest last. */
void pcinspect_render_windows(struct seq_file *m,
			      const struct pcinspect_snapshot *snap,
			      const char *name)
{
	const struct pcinspect_window *window;
	unsigned int i;
	size_t size;

	window = pcinspect_render_section(snap, PCINSPECT_SECTION_WINDOWS,
					  &size);
	for (; window && size >= sizeof(*window); size -= sizeof(*window)) {
		pcinspect_render_identity(m, snap, name);
		seq_printf(m, " %llu %u ", window->time_ns, window->pid);
		pcinspect_render_comm(m, window->comm);
		seq_printf(m, " %s %llu", pcinspect_cause_word(window->cause),
			   window->index);
		for (i = 0; i < ARRAY_SIZE(window_numbers); i++)
			seq_printf(m, " %u",
				   *(const u32 *)((const char *)window +
						  window_numbers[i].offset));
		pcinspect_render_last(m, snap);
		window++;
	}
}
