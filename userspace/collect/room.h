/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * room.h - memory that can be filled without anything being reclaimed.
 */
#ifndef PCINSPECT_ROOM_H
#define PCINSPECT_ROOM_H

#include <stdint.h>

uint64_t room_bytes(void);

#endif /* PCINSPECT_ROOM_H */
