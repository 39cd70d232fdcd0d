// SPDX-License-Identifier: GPL-2.0-only
/*
 * hostile.c - the program, with recordings that change while they are read: what
 * libzstd unpacks for libtracecmd comes by here, and some bytes of it become others.
 *
 * Why: a byte that is changed in a packed recording hardly ever gets past libzstd's
 * checksums; one that is changed here is one of a format, an event or a state.
 * PCINSPECT_HOSTILE=SEED says which; without it nothing is changed.
 */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t ZSTD_decompressDCtx(void *context, void *to, size_t room, const void *from, size_t size);

static uint64_t state;

static uint32_t chance(uint32_t n)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)(state >> 33) % n;
}

static int seeded(void)
{
	static int known;
	const char *seed = getenv("PCINSPECT_HOSTILE");

	if (!known)
		state = seed ? strtoull(seed, NULL, 0) * 2654435761u + 1 : 0;
	known = 1;
	return seed != NULL;
}

static void put(uint8_t *to, size_t size, const void *from, size_t n)
{
	if (n <= size)
		memcpy(to, from, n);
}

/* One change at a place. */
static void change(uint8_t *to, size_t size)
{
	static const char *const texts[] = {
		"\033[2J", "\033]0;x\a", "\xc2\x9b" "2J", "\xe2\x80\xae", "\xe2\x80\x8b", "\xff", "\n",
		"\x7f", "%n%s", "\\", "\"", "\t", " ", "\r\b", "/", "\xf3\xa0\x81\x81",
	};
	static const uint32_t numbers[] = {
		0, 1, 2, 0x7f, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0x1000, 0x10000000,
	};
	const char *text = texts[chance(sizeof(texts) / sizeof(*texts))];
	uint32_t number = numbers[chance(sizeof(numbers) / sizeof(*numbers))];
	size_t n;

	switch (chance(5)) {
	case 0:
		*to = chance(256);
		break;
	case 1:
		*to ^= 1 << chance(8);
		break;
	case 2:
		put(to, size, &number, sizeof(number));
		break;
	case 3:
		n = 1 + chance(64);
		memset(to, chance(2) ? 0 : 0xff, n < size ? n : size);
		break;
	default:
		put(to, size, text, strlen(text));
	}
}

size_t ZSTD_decompressDCtx(void *context, void *to, size_t room, const void *from, size_t size)
{
	static size_t (*real)(void *context, void *to, size_t room, const void *from, size_t size);
	size_t n, changes, at;
	uint8_t *bytes = to;

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "ZSTD_decompressDCtx");
	n = real(context, to, room, from, size);
	/* Most of what is read stays as it is, or hardly anything gets far. */
	if (!seeded() || n > room || n < 8 || chance(3))
		return n;
	for (changes = 1 + chance(n / 8192 + 3); changes; changes--) {
		at = chance(n);
		/* A name: words are where most of what is shown comes from. */
		if (chance(2))
			while (at + 8 < n && !(bytes[at] >= 'a' && bytes[at] <= 'z'))
				at++;
		change(bytes + at, n - at);
	}
	return n;
}
