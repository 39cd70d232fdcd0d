/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tally.h - the LRU lists of cgroups, added up by file.
 */
#ifndef PCINSPECT_TALLY_H
#define PCINSPECT_TALLY_H

#include <linux/types.h>
#include "uapi/pcinspect.h"

struct cgroup;
struct pcinspect_queue;

/*
 * struct pcinspect_tally - what pcinspect_tally_take() made
 * @cgroups: one each, parents before children
 * @files: records back to back, those with more pages first, by
 *	powers of two
 * @memory: bytes that both take
 */
struct pcinspect_tally {
	struct pcinspect_list_cgroup *cgroups;
	size_t nr_cgroups;
	size_t max_cgroups;
	void *files;
	size_t files_used;
	size_t memory;
};

int pcinspect_tally_take(struct pcinspect_tally *tally, struct cgroup *cgroup,
			 struct pcinspect_lists *lists,
			 struct pcinspect_queue *queue);
void pcinspect_tally_free(struct pcinspect_tally *tally);
size_t pcinspect_tally_memory(void);

#endif /* PCINSPECT_TALLY_H */
