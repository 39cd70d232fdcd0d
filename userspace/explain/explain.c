// SPDX-License-Identifier: GPL-2.0
/*
 * explain.c - from a report to verdicts: asks every rule about every file, and
 * sorts what they say. Touches memory, and the limits of memory cgroups.
 */
#include <err.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "collect/memcg.h"
#include "explain/rules.h"
#include "lib/escape.h"
#include "lib/text.h"

/**
 * pcinspect_say() - add a verdict
 * @saying: to which
 * @n: about which file
 * @name: in a word
 * @weight: bytes it cost
 * @format: the text, as printf(3)
 */
void pcinspect_say(struct pcinspect_saying *saying, const struct pcinspect_numbers *n, const char *name,
		double weight, const char *format, ...)
{
	struct pcinspect_verdict *v;
	va_list args;

	saying->list = reallocarray(saying->list, saying->n + 1, sizeof(*saying->list));
	if (!saying->list)
		err(1, "out of memory");
	v = &saying->list[saying->n++];
	v->name = name;
	v->file = n->file;
	v->weight = weight;
	va_start(args, format);
	if (vasprintf(&v->text, format, args) < 0)
		err(1, "out of memory");
	va_end(args);
}

/**
 * pcinspect_bytes() - bytes as text
 * @value: how many
 *
 * Return: the text, by value.
 */
struct pcinspect_size_words pcinspect_bytes(uint64_t value)
{
	struct pcinspect_size_words size;

	pcinspect_size_text(size.text, sizeof(size.text), value);
	return size;
}

/**
 * pcinspect_pages() - pages as text
 * @value: how many
 *
 * Return: their bytes as text, by value.
 */
struct pcinspect_size_words pcinspect_pages(uint64_t value)
{
	return pcinspect_bytes(value * sysconf(_SC_PAGESIZE));
}

/**
 * pcinspect_percent() - a part of a whole
 * @part: it
 * @whole: may be 0
 *
 * Return: percent.
 */
double pcinspect_percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * part / whole : 0;
}

/**
 * pcinspect_pressure() - what reclaims a file's pages, or makes writers wait
 * @n: of which file
 *
 * Return: its cgroup's limit, or all memory, in words; to be freed.
 */
char *pcinspect_pressure(const struct pcinspect_numbers *n)
{
	const char *path = n->file->memcg_paths[0];
	uint64_t limit;
	char *out, *shown;
	int result;

	/* The cgroups of the machine of a recording are not here. */
	if (path && !n->report->recorded && pcinspect_memcg_limit(path, &limit)) {
		shown = pcinspect_escape(path);
		result = asprintf(&out, "the memory limit of cgroup %s (%s)", shown,
				  pcinspect_bytes(limit).text);
		free(shown);
	} else {
		result = asprintf(&out, "memory pressure");
	}
	if (result < 0)
		err(1, "out of memory");
	return out;
}

static int heavier(const void *a, const void *b)
{
	const struct pcinspect_verdict *x = a, *y = b;

	return x->weight == y->weight ? 0 : x->weight < y->weight ? 1 : -1;
}

/**
 * pcinspect_explain() - what is wrong with the files of a report
 * @report: which
 * @list: set to the verdicts, the costliest first; to be freed by
 *	pcinspect_verdicts_free()
 *
 * Return: how many there are.
 */
size_t pcinspect_explain(const struct pcinspect_report *report,
			 struct pcinspect_verdict **list)
{
	struct pcinspect_saying out = {};
	size_t i;
	int c;

	for (i = 0; i < report->nr_files; i++) {
		const struct pcinspect_file *file = &report->files[i];
		struct pcinspect_numbers n = {
			.report = report, .file = file,
			.r = file->reads, .w = file->writes,
		};

		if (file->gone || !file->reads)
			continue;
		for (c = 0; c <= PCINSPECT_CAUSE_FORCED; c++)
			n.ahead += n.r->inserted[c];
		n.read = n.ahead + n.r->inserted[PCINSPECT_CAUSE_OTHER];
		n.inserted = pcinspect_file_inserted(file);
		n.fetched = file->snap.flags & PCINSPECT_F_DEVICE ?
			n.r->device_bytes : n.ahead * sysconf(_SC_PAGESIZE);
		pcinspect_explain_reads(&out, &n);
		if (n.w)
			pcinspect_explain_writes(&out, &n);
	}
	if (out.n)
		qsort(out.list, out.n, sizeof(*out.list), heavier);
	*list = out.list;
	return out.n;
}

/**
 * pcinspect_verdicts_free() - free them
 * @list: from pcinspect_explain()
 * @n: how many
 */
void pcinspect_verdicts_free(struct pcinspect_verdict *list, size_t n)
{
	while (n--)
		free(list[n].text);
	free(list);
}
