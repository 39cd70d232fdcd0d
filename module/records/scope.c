// SPDX-License-Identifier: GPL-2.0
/*
 * scope.c - which inodes are counted now.
 *
 * May touch: nothing; it is told.
 */
#include <linux/fs.h>

#include "records/operation.h"
#include "records/scope.h"

struct pcinspect_scope pcinspect_scope __read_mostly;

/**
 * pcinspect_scope_wants() - do files of this filesystem count in the run
 * @sb: which
 *
 * Context: preemption off; there is a run.
 * Return: true if the running task is one of the run's, or the filesystem was
 * named.
 */
bool pcinspect_scope_wants(const struct super_block *sb)
{
	unsigned int i;

	if (pcinspect_frame_is_member())
		return true;
	for (i = 0; i < READ_ONCE(pcinspect_scope.nr_mounts); i++)
		if (pcinspect_scope.mounts[i] == sb->s_dev)
			return true;
	return false;
}
