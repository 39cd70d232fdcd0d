/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * setup.h - the reason why the module is not loaded, and its remedy.
 */
#ifndef PCINSPECT_COLLECT_SETUP_H
#define PCINSPECT_COLLECT_SETUP_H

/**
 * struct setup - why the module is not loaded
 * @cause: in a word, for programs
 * @why: for people
 * @remedy: the command to type
 */
struct setup {
	const char *cause;
	char *why;
	char *remedy;
};

void setup_find_cause(struct setup *setup, const char *root, const char *release);
void setup_free(struct setup *setup);

#endif /* PCINSPECT_COLLECT_SETUP_H */
