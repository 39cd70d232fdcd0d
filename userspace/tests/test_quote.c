// SPDX-License-Identifier: GPL-2.0-only
/* test_quote.c - what a shell makes of the words that we give it. */
#include <locale.h>
#include <stdlib.h>

#include "lib/quote.h"
#include "test.h"

/* A shell prints it as it was. */
static int survives(const char *text)
{
	char *word = shell_word(text), *command, *back, got[4096] = "";
	const char *end;
	size_t used = 0, n;
	FILE *from;
	int same;

	if (asprintf(&command, "bash -c 'exec 2>&1; eval \"printf %%s $1\"' bash \"$(cat <<'=END='\n%s\n=END=\n)\"",
		     word) < 0)
		exit(1);
	from = popen(command, "r");
	while (from && (n = fread(got + used, 1, sizeof(got) - 1 - used, from)))
		used += n;
	if (from)
		pclose(from);
	same = !strcmp(got, text);
	back = shell_unquote(word, &end);
	same &= !strcmp(back, text) && !*end;
	free(back);
	free(command);
	free(word);
	return same;
}

int main(void)
{
	char all[256];
	char *word;
	int i;

	setlocale(LC_CTYPE, "C.UTF-8");
	word = shell_word("/mnt/a-1.dat");
	CHECK_STR("nothing to quote", word, "/mnt/a-1.dat");
	free(word);
	word = shell_word("/mnt/a b");
	CHECK_STR("a space", word, "'/mnt/a b'");
	free(word);
	word = shell_word("/mnt/\033[2J");
	CHECK_STR("what a terminal would obey", word, "$'/mnt/\\033[2J'");
	free(word);
	word = shell_word("");
	CHECK_STR("nothing at all", word, "''");
	free(word);
	for (i = 1; i < 256; i++)
		all[i - 1] = i;
	all[255] = '\0';
	CHECK("every byte", survives(all));
	CHECK("quotes, dollars, backslashes", survives("it's `x` $(y) \"z\" \\n \\"));
	CHECK("and where it cannot be printed", survives("it's\n\\ \303\244 $x"));
	CHECK("characters", survives("/m\303\244rz/\346\227\245"));
	return test_failures != 0;
}
