/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * place.h - a place in a superblock's list of inodes, between two calls.
 */
#ifndef PCINSPECT_PLACE_H
#define PCINSPECT_PLACE_H

#include <linux/types.h>

struct inode;
struct pcinspect_place;
struct super_block;

struct pcinspect_place *pcinspect_place_new(struct inode *inode, bool before);
struct inode *pcinspect_place_grab(struct pcinspect_place *place,
				   const struct super_block *sb, bool *before);
bool pcinspect_place_unmounted(struct pcinspect_place *place);
void pcinspect_place_free(struct pcinspect_place *place);
size_t pcinspect_place_memory(void);
int pcinspect_place_init(void);
void pcinspect_place_exit(void);

#endif /* PCINSPECT_PLACE_H */
