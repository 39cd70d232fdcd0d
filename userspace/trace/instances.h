/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * instances.h - ftrace instances of our own, and what killed ones left behind.
 */
#ifndef PCINSPECT_INSTANCES_H
#define PCINSPECT_INSTANCES_H

#include <stddef.h>
#include <stdint.h>

struct tracefs_instance;

void instance_name(char *name, size_t size);
size_t instance_kb(size_t each_kb, size_t all_kb);
uint64_t instance_stat(struct tracefs_instance *instance, int cpu, const char *name);
struct tracefs_instance *instance_create(void);
void instance_destroy(struct tracefs_instance *instance);

#endif /* PCINSPECT_INSTANCES_H */
