/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * keys.h - the keys and their actions.
 */
#ifndef PCINSPECT_SCREEN_KEYS_H
#define PCINSPECT_SCREEN_KEYS_H

#include <wchar.h>

#include "screen/model.h"

bool screen_key(struct screen_view *view, bool special, wint_t key, int lines);

#endif /* PCINSPECT_SCREEN_KEYS_H */
