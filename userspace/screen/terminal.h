/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * terminal.h - taking the terminal, and giving it back.
 */
#ifndef PCINSPECT_SCREEN_TERMINAL_H
#define PCINSPECT_SCREEN_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

bool terminal_possible(void);
int terminal_up(void);
void terminal_down(void);
void terminal_message(char *message, size_t room);
void terminal_forget_messages(void);
bool terminal_resume(void);
bool terminal_resized(void);
bool terminal_wait_key(int ms);
bool terminal_command(const char *command, const char *of);

#endif /* PCINSPECT_SCREEN_TERMINAL_H */
