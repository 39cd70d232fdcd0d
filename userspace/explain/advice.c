// SPDX-License-Identifier: GPL-2.0-only
/*
 * advice.c - the rule of explain about mappings whose use reclaim does not count:
 * what was advised of them (MADV_RANDOM, MADV_SEQUENTIAL, POSIX_FADV_NOREUSE) takes
 * from a page that is used again its second chance. Touches memory only.
 */
#include <stdlib.h>

#include "explain/rules.h"
#include "lib/alloc.h"

static uint64_t unprotected_of(const struct subject *s)
{
	return count(s, PCINSPECT_UNPROTECTED_FAULTS);
}

static uint64_t reclaimed(const struct subject *s)
{
	return count(s, pcinspect_removed(PCINSPECT_REMOVAL_RECLAIM));
}

/*
 * Most faults are through such mappings, read little beside their page (a scan does not,
 * and uses each page once, whatever was advised), and no more was asked for by read(2)
 * than through them; where the kernel counts every use the number is 0.
 */
uint64_t advice_holds(const struct subject *s)
{
	uint64_t unprotected = unprotected_of(s);

	return unprotected && unprotected * 2 >= count(s, PCINSPECT_FAULTS) &&
	       s->read <= unprotected * 2 &&
	       count(s, PCINSPECT_DEMANDED_BYTES) <= unprotected * s->report->page_size &&
	       reclaimed(s) && again_of(s) * 4 >= s->read ? again_of(s) : 0;
}

/* Of one device, for its read_ahead_kb, and of one limit. */
char *advice_cause(const struct subject *s)
{
	char *limit = pressed_by(s), *device = device_of(s), *out;

	out = alloc_text("%s %s", device, limit);
	free(limit);
	free(device);
	return out;
}

bool say_advice(const struct subject *s)
{
	uint64_t bytes = again_of(s) * s->report->page_size;
	struct memcg_limit limit;
	char *why;

	if (again_of(s) < WORTH_PAGES || reclaimed(s) < WORTH_PAGES || !worth(s, bytes, 0))
		return false;
	why = pressure(s, false, &limit);
	add_verdict(s, "random-advice-unprotected", bytes,
		    "%.0f %% of %ju faults came through mappings advised as MADV_RANDOM or MADV_SEQUENTIAL (or POSIX_FADV_NOREUSE), and this kernel does not count the use of a page through such a mapping: pages that are used go like those that nobody uses. %s evicted %ju pages, and at least %ju were read again",
		    percent(unprotected_of(s), count(s, PCINSPECT_FAULTS)),
		    (uintmax_t)count(s, PCINSPECT_FAULTS), why, (uintmax_t)reclaimed(s),
		    (uintmax_t)again_of(s));
	free(why);
	add_remedy(s, "MADV_NORMAL for what is used again, with a smaller read_ahead_kb%s before the file%s opened, so that a fault reads little beside its page, or %s",
		   now_is(s, READ_AHEAD, s->file->snap.bdi).text, s->nr > 1 ? "s are" : " is",
		   limit.len ? "a larger limit of that cgroup" : "more memory");
	read_less_command(s);
	is_inferred(s);
	add_evidence(s, "unprotected_faults", unprotected_of(s));
	add_evidence(s, "faults", count(s, PCINSPECT_FAULTS));
	add_evidence(s, "reclaimed_pages", reclaimed(s));
	add_evidence(s, "read_again_pages", again_of(s));
	add_evidence(s, "refault_pages", count(s, PCINSPECT_REFAULT_PAGES));
	add_evidence(s, "inserted_pages", s->read);
	add_evidence(s, "demanded_bytes", count(s, PCINSPECT_DEMANDED_BYTES));
	if (limit.len)
		add_evidence(s, "limit_bytes", limit.bytes);
	return true;
}
