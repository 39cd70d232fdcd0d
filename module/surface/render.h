/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * render.h - plain structs to the text of debugfs. Pure but for the seq_file.
 */
#ifndef PCINSPECT_RENDER_H
#define PCINSPECT_RENDER_H

#include <linux/bits.h>
#include <linux/types.h>

#include "numbers.h"

struct pcinspect_snapshot;
struct seq_file;

/* enum pcinspect_render_file - which numbers; bits: some are in several */
enum pcinspect_render_file {
	PCINSPECT_RENDER_INODES = BIT(0),
	PCINSPECT_RENDER_LRU = BIT(1),
	PCINSPECT_RENDER_READS = BIT(2),
	PCINSPECT_RENDER_DIRTY = BIT(3),
};

size_t pcinspect_render_escape(char *out, size_t size, const char *path,
			       size_t len);
void pcinspect_render_path(struct seq_file *m, const char *path, size_t len,
			   bool deleted);
void pcinspect_render_name(struct seq_file *m, enum pcinspect_number number);
void pcinspect_render_maybe(struct seq_file *m, bool known, u64 value);
void pcinspect_render_numbers(struct seq_file *m,
			      enum pcinspect_render_file file,
			      const struct pcinspect_snapshot *snap);
void pcinspect_render_header(struct seq_file *m,
			     enum pcinspect_render_file file);
void pcinspect_render_row(struct seq_file *m, enum pcinspect_render_file file,
			  const struct pcinspect_snapshot *snap,
			  const char *name);
void pcinspect_render_identity(struct seq_file *m,
			       const struct pcinspect_snapshot *snap,
			       const char *name);
void pcinspect_render_last(struct seq_file *m,
			   const struct pcinspect_snapshot *snap);
const void *pcinspect_render_section(const struct pcinspect_snapshot *snap,
				     u32 type, size_t *size);
void pcinspect_render_comm(struct seq_file *m, const char *comm);
void pcinspect_render_fsync_header(struct seq_file *m);
void pcinspect_render_fsyncs(struct seq_file *m,
			     const struct pcinspect_snapshot *snap,
			     const char *name);
void pcinspect_render_reads(struct seq_file *m,
			    const struct pcinspect_snapshot *snap);
void pcinspect_render_windows_header(struct seq_file *m);
void pcinspect_render_windows(struct seq_file *m,
			      const struct pcinspect_snapshot *snap,
			      const char *name);
void pcinspect_render_lru(struct seq_file *m,
			  const struct pcinspect_snapshot *snap);

#endif /* PCINSPECT_RENDER_H */
