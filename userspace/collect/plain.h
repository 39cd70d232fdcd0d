/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plain.h - the kernel's numbers without the module.
 */
#ifndef PCINSPECT_PLAIN_H
#define PCINSPECT_PLAIN_H

#include <libmount.h>
#include <stdbool.h>

#include "model/report.h"
#include "uapi/pcinspect_lists.h"

int plain_file(struct libmnt_table *mounts, int fd, struct file *file);
int plain_cgroups(int fd, struct pcinspect_lists *lists, struct pcinspect_list_cgroup *cgroups,
		  size_t room);
bool plain_lru_gen(void);

#endif /* PCINSPECT_PLAIN_H */
