/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * chardev.h - /dev/pcinspect.
 */
#ifndef PCINSPECT_CHARDEV_H
#define PCINSPECT_CHARDEV_H

int pcinspect_chardev_init(void);
void pcinspect_chardev_exit(void);

#endif /* PCINSPECT_CHARDEV_H */
