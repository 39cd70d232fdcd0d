/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * readers.h - the processes that have pages read, by file.
 */
#ifndef PCINSPECT_READERS_H
#define PCINSPECT_READERS_H

#include <linux/types.h>

struct inode;
struct pcinspect_reader;

void pcinspect_readers_ask(const struct inode *inode, u64 pos, u64 bytes,
			   bool fault);
void pcinspect_readers_note(const struct inode *inode, pgoff_t index,
			    unsigned int pages);
void pcinspect_readers_refault(const struct inode *inode, unsigned int pages);
void pcinspect_readers_evict(const struct inode *inode, unsigned int pages);
void pcinspect_readers_dirty(const struct inode *inode, unsigned int pages);
void pcinspect_readers_get(int cpu, struct pcinspect_reader *rows);
void pcinspect_readers_unknown(struct pcinspect_reader *rows);

#endif /* PCINSPECT_READERS_H */
