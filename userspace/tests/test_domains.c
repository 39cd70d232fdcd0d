// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_domains.c - the rules about the machine and cgroups against what they must not say:
 * situations as numbers, each with the verdict that somebody who knows would give, half of
 * them with none, as in test_corpus.c.
 */
#include <stdlib.h>
#include <string.h>

#include "explain/explain.h"
#include "model/domains.h"
#include "test.h"

#define PAGE 4096ULL
#define MB (256ULL)		/* in pages */
#define GB (1024 * MB)
#define NONE (~0ULL)		/* unknown */

/**
 * struct situation - a machine or a cgroup, two seconds apart
 * @name: what it is
 * @want: the verdict, "": none; @also: another that is as true
 * @cgroup: its path; NULL: the machine
 * @limited: and @capacity is a limit, memory.max
 * @missing: what is not cached of the files that are read, 0: unknown
 * @largest: pages of the largest file; @largest_active, @largest_mapped, @grown: of them
 * @largest_size: pages that it would have, 0: unknown
 * @deleted: of deleted files, all in one; @holder: who has it open
 * The others are numbers of the domain, in pages but @stalled_ms.
 */
struct situation {
	const char *name, *want, *cgroup, *also;
	bool limited;
	uint64_t capacity, used, active, inactive, anon, shmem, kernel, swap;
	uint64_t dirty, dirty_wait, dirty_limit;
	uint64_t refaults, read, reclaimed, stalled_ms, missing;
	uint64_t largest, largest_active, largest_mapped, largest_size;
	int64_t grown;
	uint64_t deleted;
	uint32_t holder;
};

static const struct situation healthy[] = {
	{ "a machine at rest, its cache full", .capacity = 16 * GB, .used = 4 * GB,
	  .active = 5 * GB, .inactive = 6 * GB, .anon = 3 * GB, .dirty = 100, .dirty_wait = 2 * GB,
	  .dirty_limit = 3 * GB },
	{ "a backup runs, nobody misses anything", .capacity = 16 * GB, .used = 4 * GB,
	  .active = 1 * GB, .inactive = 10 * GB, .anon = 3 * GB, .read = 100 * MB,
	  .reclaimed = 100 * MB, .largest = 9 * GB, .grown = 90 * MB },
	{ "a database owns the cache, and hits", .capacity = 64 * GB, .used = 20 * GB,
	  .active = 30 * GB, .inactive = 10 * GB, .anon = 18 * GB, .read = 500, .largest = 38 * GB,
	  .largest_active = 30 * GB },
	{ "one in four of what is read was there before", .capacity = 16 * GB, .used = 4 * GB,
	  .active = 5 * GB, .inactive = 6 * GB, .refaults = 1000, .read = 4000, .reclaimed = 4000,
	  .stalled_ms = 300, .largest = 8 * GB },
	{ "waits for memory, but reads nothing again", .capacity = 16 * GB, .used = 12 * GB,
	  .active = 2 * GB, .inactive = 2 * GB, .refaults = 10, .read = 10000, .reclaimed = 10000,
	  .stalled_ms = 900, .largest = 1 * GB },
	{ "near its limit, says kubelet, by cache in use, and nobody waits", .cgroup = "/k/c6",
	  .limited = true, .capacity = GB, .used = 1000 * MB, .active = 600 * MB,
	  .inactive = 100 * MB, .anon = 280 * MB, .kernel = 10 * MB, .stalled_ms = 20 },
	{ "200 pages", .capacity = 16 * GB, .refaults = 200, .read = 200, .stalled_ms = 500 },
	{ "500 pages in two seconds", .capacity = 16 * GB, .refaults = 500, .read = 500 },
	{ "nobody counts what was read or reclaimed", .cgroup = "/a", .limited = true,
	  .capacity = GB, .used = GB / 2, .refaults = 4000, .read = NONE, .reclaimed = NONE,
	  .stalled_ms = 900, .largest = GB / 4 },
	{ "a container at its limit by cache that was read once", .cgroup = "/k/c1",
	  .limited = true, .capacity = GB, .used = GB, .active = 10 * MB, .inactive = 900 * MB,
	  .anon = 100 * MB, .read = 50 * MB, .reclaimed = 50 * MB, .stalled_ms = 10,
	  .largest = 800 * MB },
	{ "active cache, far from the limit", .cgroup = "/k/c2", .limited = true,
	  .capacity = 4 * GB, .used = 2 * GB, .active = GB, .inactive = GB / 2, .anon = GB / 2 },
	{ "at its limit, but no limit is known", .cgroup = "/k/c3", .used = 4 * GB, .active = 3 * GB,
	  .inactive = GB / 2 },
	{ "nearly all anonymous, with swap", .cgroup = "/k/c4", .limited = true, .capacity = GB,
	  .used = GB, .active = 5 * MB, .inactive = 5 * MB, .anon = 1000 * MB, .swap = 2 * GB },
	{ "three quarters anonymous", .cgroup = "/k/c5", .limited = true, .capacity = GB,
	  .used = 800 * MB, .active = 5 * MB, .inactive = 5 * MB, .anon = 760 * MB },
	{ "a machine whose memory is used, but a fifth is cache", .capacity = 16 * GB,
	  .used = 13 * GB, .active = 2 * GB, .inactive = 1 * GB, .anon = 12 * GB },
	{ "a writer, half way to the limit", .capacity = 16 * GB, .used = 4 * GB, .dirty = 1 * GB,
	  .dirty_wait = 2 * GB, .dirty_limit = 3 * GB },
	{ "dirty, and nobody knows the limit", .capacity = 16 * GB, .used = 4 * GB,
	  .dirty = 3 * GB, .dirty_wait = NONE, .dirty_limit = NONE },
	{ "a few dirty pages of a tiny cgroup", .cgroup = "/t", .limited = true, .capacity = 4 * MB,
	  .used = 2 * MB, .dirty = 100, .dirty_wait = 90, .dirty_limit = 120 },
	{ "a deleted temporary file", .capacity = 16 * GB, .used = 4 * GB, .active = 5 * GB,
	  .inactive = 6 * GB, .deleted = 10 * MB },
	{ "100 MB deleted, of 12 GB", .capacity = 16 * GB, .used = 4 * GB, .active = 6 * GB,
	  .inactive = 6 * GB, .deleted = 100 * MB },
};

static const struct situation ill[] = {
	{ "refaults that few wait for", "thrashing", .capacity = 16 * GB, .used = 4 * GB,
	  .active = 5 * GB, .inactive = 6 * GB, .refaults = 4000, .read = 5000, .reclaimed = 5000,
	  .stalled_ms = 20, .largest = 3 * GB },
	{ "a disk that reads 8 MB/s again, of a cgroup", "thrashing", .cgroup = "/srv",
	  .limited = true, .capacity = 80 * MB, .used = 80 * MB, .inactive = 76 * MB,
	  .refaults = 4100, .read = 4150, .reclaimed = 4150, .stalled_ms = 40, .missing = 124 * MB,
	  .largest = 76 * MB, .largest_size = 200 * MB },
	{ "a database larger than memory, alone, reads its own again", "thrashing",
	  .capacity = 16 * GB, .used = 4 * GB, .active = 9 * GB, .inactive = 2 * GB,
	  .refaults = 40000, .read = 50000, .reclaimed = 50000, .stalled_ms = 100,
	  .largest = 10 * GB, .largest_active = 8 * GB, .largest_mapped = 8 * GB },
	{ "the same by read(2), in old generations", "thrashing", .capacity = 16 * GB,
	  .used = 4 * GB, .active = 2 * GB, .inactive = 9 * GB, .refaults = 40000, .read = 50000,
	  .reclaimed = 50000, .stalled_ms = 100, .largest = 10 * GB, .largest_active = GB,
	  .grown = MB },
	{ "the same, and pressure is not measured", "thrashing", .capacity = 16 * GB,
	  .used = 4 * GB, .active = 9 * GB, .inactive = 2 * GB, .refaults = 40000, .read = 50000,
	  .reclaimed = 50000, .stalled_ms = NONE, .largest = 10 * GB, .largest_active = 8 * GB },
	{ "pressure is not measured here", "thrashing", .capacity = 16 * GB, .used = 4 * GB,
	  .active = 5 * GB, .inactive = 6 * GB, .refaults = 4000, .read = 4000,
	  .stalled_ms = NONE, .largest = 2 * GB },
	/* What 6.12 and 7.2 counted of 200 MB, read in a cycle in 80 MB. */
	{ "a file in a cycle, in one second (7.2)", "thrashing", .cgroup = "/limited",
	  .limited = true, .capacity = 80 * MB, .used = 80 * MB, .inactive = 76 * MB,
	  .refaults = 257024, .read = 256000, .reclaimed = 256512, .stalled_ms = 117,
	  .missing = 124 * MB, .largest = 76 * MB, .largest_size = 200 * MB },
	{ "the same in three (6.12)", "thrashing", .cgroup = "/limited", .limited = true,
	  .capacity = 80 * MB, .used = 80 * MB, .inactive = 76 * MB, .refaults = 602880,
	  .read = 602880, .reclaimed = 602880, .stalled_ms = 648, .missing = 124 * MB,
	  .largest = 76 * MB, .largest_size = 200 * MB },
	{ "of the machine", "thrashing", .capacity = 464 * MB, .used = 110 * MB,
	  .inactive = 347 * MB, .refaults = 222040, .read = 222040, .reclaimed = 222040,
	  .stalled_ms = 320, .largest = 336 * MB, .largest_size = 620 * MB },
	{ "two tables in a cycle, one of them grows", "thrashing", .capacity = 464 * MB,
	  .used = 110 * MB, .active = 100 * MB, .inactive = 247 * MB, .refaults = 120000,
	  .read = 124000, .reclaimed = 121000, .stalled_ms = 320, .largest = 200 * MB,
	  .largest_active = 90 * MB, .largest_size = 260 * MB, .grown = 60 * MB },
	{ "more files than the machine has memory", "thrashing", .cgroup = "/limited",
	  .limited = true, .capacity = 80 * MB, .used = 80 * MB, .inactive = 76 * MB,
	  .refaults = 257024, .read = 256000, .reclaimed = 256512, .stalled_ms = 117,
	  .missing = 64 * GB, .largest = 76 * MB, .largest_size = 64 * GB },
	{ "a machine that thrashes", "thrashing", .capacity = 16 * GB, .used = 13 * GB,
	  .active = 1 * GB, .inactive = 1 * GB, .anon = 12 * GB, .refaults = 40000, .read = 50000,
	  .reclaimed = 50000, .stalled_ms = 1200, .largest = GB / 4 },
	{ "a container that does", "thrashing", .cgroup = "/k/db", .limited = true,
	  .capacity = GB, .used = GB, .active = 200 * MB, .inactive = 200 * MB, .anon = 600 * MB,
	  .refaults = 9000, .read = 12000, .reclaimed = 12000, .stalled_ms = 400,
	  .largest = 100 * MB },
	{ "and nobody counts its reads", "thrashing", .cgroup = "/k/db", .limited = true,
	  .capacity = GB, .used = GB, .active = 200 * MB, .inactive = 200 * MB, .anon = 600 * MB,
	  .refaults = 9000, .read = NONE, .reclaimed = 12000, .stalled_ms = 400,
	  .largest = 100 * MB },
	{ "a backup has the cache, others come back for theirs", "one-stream-owns-cache",
	  .capacity = 16 * GB, .used = 4 * GB, .active = 1 * GB, .inactive = 10 * GB,
	  .refaults = 3000, .read = 5000, .reclaimed = 9000, .stalled_ms = 300, .largest = 8 * GB,
	  .largest_active = 100 * MB, .grown = 10 * MB, .also = "thrashing" },
	{ "the same in young generations, while it grows", "one-stream-owns-cache",
	  .capacity = 16 * GB, .used = 4 * GB, .active = 8 * GB, .inactive = 3 * GB,
	  .refaults = 3000, .read = 5000, .reclaimed = 9000, .stalled_ms = 50, .largest = 8 * GB,
	  .largest_active = 8 * GB, .largest_size = 90 * GB, .grown = 2 * (int64_t)GB,
	  .also = "thrashing" },
	{ "a mapped index has it, others come back for theirs", "one-file-owns-cache",
	  .capacity = 16 * GB, .used = 4 * GB, .active = 9 * GB, .inactive = 2 * GB,
	  .refaults = 3000, .read = 5000, .reclaimed = 9000, .stalled_ms = 300, .largest = 8 * GB,
	  .largest_active = 8 * GB, .largest_mapped = 8 * GB, .also = "thrashing" },
	{ "near its limit, says kubelet, by cache that is active", "working-set-is-cache",
	  .cgroup = "/kubepods.slice/c", .limited = true, .capacity = GB, .used = 1000 * MB,
	  .active = 600 * MB, .inactive = 100 * MB, .anon = 280 * MB, .kernel = 10 * MB,
	  .stalled_ms = 400 },
	{ "near it by what cannot go", "working-set-cannot-go", .cgroup = "/kubepods.slice/d",
	  .limited = true, .capacity = GB, .used = 1010 * MB, .active = 10 * MB,
	  .inactive = 20 * MB, .anon = 800 * MB, .shmem = 150 * MB, .kernel = 30 * MB },
	{ "a machine of anonymous memory", "working-set-cannot-go", .capacity = 16 * GB,
	  .used = 15 * GB, .active = 200 * MB, .inactive = 300 * MB, .anon = 14 * GB },
	{ "writers are made to wait", "dirty-limit-near", .capacity = 16 * GB, .used = 4 * GB,
	  .active = 2 * GB, .inactive = 8 * GB, .dirty = 2600 * MB, .dirty_wait = 2 * GB,
	  .dirty_limit = 3 * GB },
	{ "those of a cgroup", "dirty-limit-near", .cgroup = "/w", .limited = true,
	  .capacity = GB, .used = GB / 2, .active = 20 * MB, .inactive = 300 * MB,
	  .anon = 100 * MB, .dirty = 150 * MB, .dirty_wait = 120 * MB, .dirty_limit = 160 * MB },
	{ "logs that were rotated away and are still open", "deleted-files-hold-memory",
	  .capacity = 16 * GB, .used = 4 * GB, .active = 2 * GB, .inactive = 4 * GB,
	  .deleted = 2 * GB, .holder = 77 },
	{ "mapped by nobody that we can see", "deleted-files-hold-memory", .capacity = GB,
	  .used = GB / 4, .active = 100 * MB, .inactive = 200 * MB, .deleted = 20 * MB },
};

static void set(struct domain *domain, enum domain_number number, uint64_t value)
{
	if (value != NONE)
		domain_set(domain, number, value);
}

static char *copy(const char *text)
{
	return strdup(text);
}

/* Above and below it there are others, at ease. */
static void make(struct domains *domains, const struct situation *s)
{
	struct domain *domain = domains_add(domains, s->cgroup);

	set(domain, DOMAIN_CAPACITY, s->capacity);
	set(domain, DOMAIN_USED, s->used);
	set(domain, DOMAIN_ACTIVE, s->active);
	set(domain, DOMAIN_INACTIVE, s->inactive);
	set(domain, DOMAIN_ANON, s->anon);
	set(domain, DOMAIN_SHMEM, s->shmem);
	set(domain, DOMAIN_KERNEL, s->kernel);
	set(domain, DOMAIN_SWAP_FREE, s->swap);
	set(domain, DOMAIN_DIRTY, s->dirty);
	set(domain, DOMAIN_DIRTY_WAIT, s->dirty_wait ?: NONE);
	set(domain, DOMAIN_DIRTY_LIMIT, s->dirty_limit ?: NONE);
	set(domain, DOMAIN_REFAULTS, s->refaults);
	set(domain, DOMAIN_READ, s->read);
	set(domain, DOMAIN_RECLAIMED, s->reclaimed);
	set(domain, DOMAIN_MISSING, s->missing ?: NONE);
	set(domain, DOMAIN_STALLED_US, s->stalled_ms == NONE ? NONE : s->stalled_ms * 1000);
	if (s->limited)
		domain->limit = (struct memcg_limit){ strlen(domain->path), "max",
						     s->capacity * PAGE, domain->path };
	domains->interval_ns = 2000000000;
	domains->largest = (struct domains_file){
		.path = copy("/srv/it's large"), .here = true, .pages = s->largest,
		.size_pages = s->largest_size, .active = s->largest_active, .mapped = s->largest_mapped, .grown = s->grown,
		.grown_known = s->grown != 0,
	};
	domains->dirtiest = (struct domains_file){
		.path = copy("/srv/log"), .here = true, .dirty = s->dirty / 2,
	};
	domains->deleted_pages = s->deleted;
	domains->deleted_files = !!s->deleted;
	if (s->deleted)
		domains->deleted = (struct domains_file){
			.path = copy("/srv/old"), .pages = s->deleted, .pid = s->holder, .fd = 5,
			.comm = "logger",
		};
}

/* The results of all situations. */
struct score {
	unsigned int right, wrong, missing, silent;
};

static void judge(const struct situation *s, struct score *score)
{
	struct report report = { .page_size = PAGE };
	struct domains domains = { .report = &report };
	unsigned int wrong = 0;
	const char *want = s->want ?: "";
	bool found = false, also = !s->also;
	size_t i;

	report_set(&report, MEMORY_BYTES, 16 * GB * PAGE);
	make(&domains, s);
	explain_domains(&domains);
	for (i = 0; i < report.nr_verdicts; i++) {
		const struct verdict *v = &report.verdicts[i];
		bool right = !strcmp(v->name, want) && !found && v->text && v->remedy &&
			     v->nr_evidence && v->cost_bytes &&
			     (v->scope == SCOPE_FILE ? v->place && *v->place == '/' :
			      v->scope == (s->cgroup ? SCOPE_CGROUP : SCOPE_MACHINE)) &&
			     (v->scope != SCOPE_CGROUP || !strcmp(v->place, s->cgroup));

		found |= right;
		score->right += right;
		if (s->also && !strcmp(v->name, s->also) && !also) {
			also = true;
			score->right++;
			continue;
		}
		if (!right) {
			printf("# %s: says %s: %s\n", s->name, v->name, v->text);
			wrong++;
		}
	}
	if ((*want && !found) || !also) {
		printf("# %s: lacks %s\n", s->name, found ? s->also : want);
		score->missing++;
	}
	score->wrong += wrong;
	score->silent += !*want && !wrong;
	domains_free(&domains);
	report_free(&report);
}

/* Of the situation of this name, the command of the verdict that it is there for. */
static void check_command(const char *name, const char *want)
{
	struct report report = { .page_size = PAGE };
	struct domains domains = { .report = &report };
	unsigned int i, k;

	for (i = 0; strcmp(ill[i].name, name); i++)
		;
	report_set(&report, MEMORY_BYTES, 16 * GB * PAGE);
	make(&domains, &ill[i]);
	explain_domains(&domains);
	for (k = 0; k < report.nr_verdicts && strcmp(report.verdicts[k].name, ill[i].want); k++)
		;
	CHECK_STR(name, k < report.nr_verdicts && report.verdicts[k].command ?
		  report.verdicts[k].command : "none", want);
	domains_free(&domains);
	report_free(&report);
}

/* A pod, the container in it that has the cause, and one beside it that has it as well. */
static void check_nested(void)
{
	static const char *const paths[] = { "/pod", "/pod/a", "/podder" };
	const struct situation *kubelet = ill;
	struct situation s;
	struct report report = { .page_size = PAGE };
	struct domains domains = { .report = &report };
	bool child = false, other = false;
	size_t i;

	while (strcmp(kubelet->want, "working-set-is-cache"))
		kubelet++;
	s = *kubelet;
	domains_add(&domains, NULL);
	for (i = 0; i < 3; i++) {
		free(domains.largest.path);
		free(domains.dirtiest.path);
		s.cgroup = paths[i];
		make(&domains, &s);
	}
	explain_domains(&domains);
	for (i = 0; i < report.nr_verdicts; i++) {
		child |= !strcmp(report.verdicts[i].place, "/pod/a");
		other |= !strcmp(report.verdicts[i].place, "/podder");
	}
	CHECK("a cause is said of the cgroup that has it, not of those above",
	      report.nr_verdicts == 2 && child && other);
	domains_free(&domains);
	report_free(&report);
}

/* The machine has what its cgroups have: it is blamed for what is beside them only. */
static void check_whole(void)
{
	const struct situation *s = ill, *all = ill;
	struct report report = { .page_size = PAGE };
	struct domains domains = { .report = &report };
	struct domain *machine;

	while (strcmp(s->name, "a file in a cycle, in one second (7.2)"))
		s++;
	while (strcmp(all->name, "of the machine"))
		all++;
	make(&domains, all);
	machine = &domains.list[0];
	set(machine, DOMAIN_REFAULTS, s->refaults + 200);
	set(machine, DOMAIN_READ, s->read + 400);
	free(domains.largest.path);
	free(domains.dirtiest.path);
	make(&domains, s);
	explain_domains(&domains);
	CHECK("the cgroup whose limit it is, and not the machine", report.nr_verdicts == 1 &&
	      report.verdicts[0].scope == SCOPE_CGROUP);
	machine = &domains.list[0];
	set(machine, DOMAIN_REFAULTS, s->refaults + 20000);
	set(machine, DOMAIN_READ, s->read + 21000);
	explain_domains(&domains);
	CHECK("and the machine, if others suffer as well", report.nr_verdicts == 2);
	domains_free(&domains);
	report_free(&report);
}

/* A path within a filesystem that is not mounted here: said so, and in no command. */
static void check_elsewhere(void)
{
	struct report report = { .page_size = PAGE };
	struct domains domains = { .report = &report };
	const struct situation *s = ill;

	while (strcmp(s->name, "the same in young generations, while it grows"))
		s++;
	make(&domains, s);
	domains.largest.here = false;
	domains.largest.elsewhere = true;
	domains.largest.dev_major = 8;
	domains.largest.dev_minor = 2;
	explain_domains(&domains);
	CHECK("a file that is not mounted here: is said", report.nr_verdicts == 2 &&
	      strstr(report.verdicts[0].text, "large (8:2, not mounted here) has "));
	CHECK("it is no place, and no command names it", report.nr_verdicts == 2 &&
	      report.verdicts[0].scope == SCOPE_MACHINE && !report.verdicts[0].command);
	domains_free(&domains);
	report_free(&report);
}

int main(void)
{
	const unsigned int nr_healthy = sizeof(healthy) / sizeof(*healthy);
	const unsigned int nr_ill = sizeof(ill) / sizeof(*ill);
	struct score score = {};
	double precision, recall;
	unsigned int i;

	for (i = 0; i < nr_healthy; i++)
		judge(&healthy[i], &score);
	for (i = 0; i < nr_ill; i++)
		judge(&ill[i], &score);
	precision = (double)score.right / (score.right + score.wrong ?: 1);
	recall = (double)score.right / (score.right + score.missing ?: 1);
	printf("# %u situations of machines and cgroups, %u of them healthy: %u verdicts right, %u wrong, %u missing: precision %.3f, recall %.3f, silent in %u\n",
	       nr_healthy + nr_ill, nr_healthy, score.right, score.wrong, score.missing,
	       precision, recall, score.silent);
	CHECK("precision is 0.95 or more", precision >= 0.95);
	CHECK("recall is 0.95 or more", recall >= 0.95);
	CHECK("silent where nothing is wrong with the machine or a cgroup",
	      score.silent == nr_healthy);
	CHECK("nothing is said that is wrong", !score.wrong);
	CHECK("nothing is missing", !score.missing);
	check_command("a container that does", "none");
	check_command("a file in a cycle, in one second (7.2)",
		      "echo 218103808 > /sys/fs/cgroup/limited/memory.max");
	check_command("the same in three (6.12)",
		      "echo 218103808 > /sys/fs/cgroup/limited/memory.max");
	check_command("more files than the machine has memory", "none");
	check_command("a machine that thrashes", "none");
	check_command("a backup has the cache, others come back for theirs",
		      "dd if='/srv/it'\\''s large' iflag=nocache count=0 status=none");
	check_command("near its limit, says kubelet, by cache that is active",
		      "echo 629145600 > /sys/fs/cgroup/kubepods.slice/c/memory.reclaim");
	check_command("near it by what cannot go",
		      "echo 1284505600 > /sys/fs/cgroup/kubepods.slice/d/memory.max");
	check_command("writers are made to wait", "sync /srv/log");
	check_command("logs that were rotated away and are still open",
		      "dd if=/proc/77/fd/5 iflag=nocache count=0 status=none");
	check_nested();
	check_whole();
	check_elsewhere();
	return test_failures != 0;
}
