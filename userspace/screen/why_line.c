// SPDX-License-Identifier: GPL-2.0-only
/*
 * why_line.c - problems of the machine, by the rules of explain, from looks that the
 * screen takes anyway: the rules about the machine and its cgroups. Where none finds
 * anything, the numbers that they looked at. Touches: see collect/domains.c.
 */
#include <stdint.h>
#include <stdlib.h>

#include "collect/domains.h"
#include "explain/explain.h"
#include "lib/alloc.h"
#include "lib/clock.h"
#include "lib/text.h"
#include "screen/why_line.h"

/*
 * Between two looks at the counters, the first of which is waited for; and cgroups that are
 * looked for each time. To read memory.stat costs the kernel a flush of all CPUs' counts.
 */
#define FIRST_NS	2000000000ULL
#define WHY_NS		5000000000ULL
#define WHY_CGROUPS	256

/* Forget what it holds. */
void why_line_free(struct why_line *line)
{
	free(line->text);
	domains_free(&line->domains);
	*line = (struct why_line){};
}

/* The subject that was checked, where nothing is wrong. */
static char *numbers_text(const struct domains *domains)
{
	const struct domain *machine = &domains->list[0];
	double seconds = domains->interval_ns / 1e9;
	uint64_t read, refaults;
	char rate[16] = "?", again[16] = "?";

	if (domain_number(machine, DOMAIN_READ, &read))
		size_text(rate, sizeof(rate), read * domains->report->page_size / seconds);
	if (domain_number(machine, DOMAIN_REFAULTS, &refaults))
		size_text(again, sizeof(again), refaults * domains->report->page_size / seconds);
	return alloc_text("why     nothing is found wrong%s; %s/s are read, %s/s after an eviction",
			  domains->partly ? " (not all cgroups)" : "", rate, again);
}

static void conclude(struct why_line *line, struct machine_sample *now)
{
	const struct machine *machine = &now->machine;
	struct domains *domains = &line->domains;
	struct pcinspect_list_file deleted = {};

	report_forget_verdicts(domains->report);
	domains_again(domains);
	if (machine->per == PER_FILE && !machine->only)
		domains_take(domains, &now->collect, machine, &deleted);
	/* Only a walk through all processes finds who has them open. */
	domains->deleted_pages = 0;
	explain_domains(domains);
	free(line->text);
	line->wrong = domains->report->nr_verdicts;
	line->text = line->wrong ? alloc_text("why     %s: %s", domains->report->verdicts[0].name,
					      domains->report->verdicts[0].what) :
		     numbers_text(domains);
	domains_free(domains);
}

/**
 * why_line_update() - one more look
 * @line: zeroed before the first
 * @now: what the screen shows
 */
void why_line_update(struct why_line *line, struct machine_sample *now)
{
	line->domains.report = &now->report;
	if (line->domains.nr) {
		if (clock_now_ns() - line->domains.interval_ns < (line->text ? WHY_NS : FIRST_NS))
			return;
		conclude(line, now);
	}
	domains_begin(&line->domains, WHY_CGROUPS);
}
