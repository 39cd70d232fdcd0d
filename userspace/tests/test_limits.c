// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_limits.c - limits as they are typed, and what comes of them: none holds because
 * something was not counted. With an argument it prints a test suite, for junit.py.
 */
#include <stdlib.h>

#include "model/limits.h"
#include "test.h"
#include "view/junit.h"

static struct report report;

static struct file *add_file(const char *path)
{
	struct file *file = report_add(&report, path);

	file->snap.flags = PCINSPECT_F_PAGES | PCINSPECT_F_WRITEBACK;
	file->snap.dev_major = 254;
	return file;
}

/* The error of a limit, "" if there is none. */
static const char *wrong(const char *text, const char *op)
{
	static struct limits limits;
	static char out[512];
	char *said = limit_parse(&limits, text, op);

	snprintf(out, sizeof(out), "%s", said ?: "");
	free(said);
	limits_free(&limits);
	return out;
}

/* Its result: "ok", "failed", "unknown". */
static const char *judged(const char *text, const char *op)
{
	static struct limits limits;
	char *said = limit_parse(&limits, text, op);
	const char *word = said ?: "ok";

	if (!said) {
		limits_judge(&limits, &report);
		word = limit_result_word(limits.list[0].result);
	} else {
		printf("# %s\n", said);
		word = "wrong";
	}
	free(said);
	limits_free(&limits);
	return word;
}

static void says(const char *text, const char *op, const char *words)
{
	CHECK(text, strstr(wrong(text, op), words) != NULL);
	if (!strstr(wrong(text, op), words))
		printf("# %s\n", wrong(text, op));
}

static void words(void)
{
	says("device_byte<=1", NULL, "no number is called device_byte (perhaps device_bytes; ");
	says("DEVICE<=1", NULL, "(perhaps device_bytes; ");
	says("frobnicate<=1", NULL, "no number is called frobnicate (pcinspect assert --max help lists them)");
	says("device_bytes", NULL, "device_bytes: no limit (such as 'device_bytes<=100M'; < and > want quotes)");
	says("device_bytes", "<=", "device_bytes: no limit (such as device_bytes=100M");
	says("device_bytes<=1", "<=", "NUMBER=VALUE is wanted here");
	says("<=1", NULL, "no limit");
	says("device_bytes<=", NULL, "no value behind device_bytes");
	says("device_bytes<=much", NULL, "much is no value of device_bytes (such as 4096, 100M)");
	says("device_bytes<=-1", NULL, "-1 is no value");
	says("device_bytes<=1Q", NULL, "is no value");
	says("device_bytes<=0x10", NULL, "is no value");
	says("device_bytes<=inf", NULL, "is no value");
	says("device_bytes<=1..2", NULL, "is no value");
	says("device_bytes<=50%", NULL, "is no value");
	says("amplification<1M", NULL, "(such as 1.5, 150%)");
	says("writeback_ns<=1M", NULL, "(such as 10ms, 2s)");
	says("verdict<=x", NULL, "a verdict is there or not");
	says("verdict=x", "<=", "a verdict is there or not");
	says("classic<=1", NULL, "no number is called classic");
	CHECK_STR("all that can be typed", wrong("device_bytes<=1.5G", NULL), "");
	CHECK_STR("two = are one", wrong("device_bytes==1", NULL), "");
}

static void judges(void)
{
	struct file *a, *b;

	report = (struct report){ .page_size = 4096, .devices_known = true };
	a = add_file("/a");
	know(&a->snap, PCINSPECT_DEVICE_BYTES, 3 << 20, PCINSPECT_DEMANDED_BYTES, 2 << 20,
	     PCINSPECT_FAULTS, 0, PCINSPECT_WASTED_PAGES, 256, PCINSPECT_WRITTEN_PAGES, 5, -1);
	b = add_file("/b");
	know(&b->snap, PCINSPECT_DEVICE_BYTES, 1 << 20, PCINSPECT_DEMANDED_BYTES, 2 << 20,
	     PCINSPECT_FAULTS, 0, PCINSPECT_WASTED_PAGES, 0, -1);
	/* Its pages are never written back. */
	b->snap.flags = PCINSPECT_F_PAGES;
	report.nr_devices = 1;
	report.devices[0].read = (struct device_counter){ 100, 90, 110 };
	CHECK_STR("at most, just", judged("device_bytes<=4M", NULL), "ok");
	CHECK_STR("one byte too many", judged("device_bytes<=4194303", NULL), "failed");
	CHECK_STR("less", judged("device_bytes<4M", NULL), "failed");
	CHECK_STR("--max", judged("device_bytes=4M", "<="), "ok");
	{
		static struct limits one;

		CHECK("taken", !limit_parse(&one, "device_bytes=4M", "<="));
		CHECK_STR("--max, as it is meant", one.list[0].text, "device_bytes<=4M");
		limits_free(&one);
	}
	CHECK_STR("--min", judged("device_bytes=4M", ">="), "ok");
	CHECK_STR("--min, not reached", judged("device_bytes=5M", ">="), "failed");
	CHECK_STR("is", judged("device_bytes=4M", NULL), "ok");
	CHECK_STR("is not", judged("device_bytes!=4M", NULL), "failed");
	CHECK_STR("more", judged("device_bytes>4M", NULL), "failed");
	CHECK_STR("pages", judged("wasted_pages=256", NULL), "ok");
	CHECK_STR("pages in bytes", judged("wasted_pages<=1M", NULL), "ok");
	CHECK_STR("pages in bytes, too many", judged("wasted_pages<=1023K", NULL), "failed");
	CHECK_STR("a ratio", judged("amplification<=1", NULL), "ok");
	CHECK_STR("in percent", judged("amplification<100%", NULL), "failed");
	CHECK_STR("files", judged("files=2", NULL), "ok");
	CHECK_STR("what is never written back is not unknown", judged("written_pages=5", NULL), "ok");
	CHECK_STR("nobody counted", judged("refault_pages=0", NULL), "unknown");
	CHECK_STR("devices, in between", judged("devices_read_bytes<=100", NULL), "unknown");
	CHECK_STR("devices, no less", judged("devices_read_bytes>=90", NULL), "ok");
	CHECK_STR("devices, too many", judged("devices_read_bytes<=80", NULL), "failed");
	report.devices[0].silent = true;
	CHECK_STR("a device that counts nothing", judged("devices_read_bytes<=1G", NULL), "unknown");
	/* Unknown of one: what is known of the other is the least. */
	b->snap.known[PCINSPECT_WASTED_PAGES / 64] &= ~(1ULL << PCINSPECT_WASTED_PAGES % 64);
	CHECK_STR("unknown of one", judged("wasted_pages<=1000", NULL), "unknown");
	CHECK_STR("too many already", judged("wasted_pages<=255", NULL), "failed");
	CHECK_STR("enough already", judged("wasted_pages>=256", NULL), "ok");
	report.verdicts = calloc(1, sizeof(*report.verdicts));
	report.verdicts[0].name = "mmap-read-around";
	report.nr_verdicts = 1;
	CHECK_STR("a verdict", judged("verdict!=mmap-read-around", NULL), "failed");
	CHECK_STR("none of this name", judged("verdict!=fsync-split", NULL), "ok");
	CHECK_STR("one that is to be there", judged("verdict=mmap-read-around", NULL), "ok");
	CHECK_STR("how many", judged("verdicts=0", NULL), "failed");
	report.losses = (struct losses){ .known = true, .frames = 1 };
	CHECK_STR("lost: no upper limit holds", judged("device_bytes<=1G", NULL), "unknown");
	CHECK_STR("lost: what is too much is", judged("device_bytes<=1M", NULL), "failed");
	CHECK_STR("lost: what is enough is", judged("device_bytes>=4M", NULL), "ok");
	CHECK_STR("lost: no verdict is known not to be there", judged("verdict!=fsync-split", NULL),
		  "unknown");
	report.losses.frames = 0;
	report_add_audit(&report, "x", 1, 2, 2, "y");
	CHECK_STR("UNTRUSTED: nothing holds", judged("device_bytes<=1G", NULL), "unknown");
	CHECK_STR("UNTRUSTED: nothing fails", judged("device_bytes<=1M", NULL), "unknown");
	report.nr_verdicts = 0;
	free(report.verdicts);
	report.verdicts = NULL;
	report_free(&report);
	CHECK_STR("nothing was touched", judged("device_bytes=0", NULL), "ok");
}

/* Whatever is offered can be typed. */
static void names(void)
{
	const char *name, *help;
	size_t i, good = 0;
	char text[128];

	for (i = 0; (name = limit_name(i, &help)); i++) {
		snprintf(text, sizeof(text), "%s=1", name);
		good += !*wrong(text, NULL) && *help;
	}
	CHECK("each name is that of a limit", good == i && i > 100);
}

/* Each result, and words that XML and a terminal would take for something else. */
static void print_junit(void)
{
	struct limits limits = { .status = 3 };
	static const char *const texts[] = { "files<=9", "wasted_pages<=1", "refault_pages=0" };
	size_t i;

	know(&add_file("/a")->snap, PCINSPECT_WASTED_PAGES, 512, -1);
	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		free(limit_parse(&limits, texts[i], NULL));
	limits_judge(&limits, &report);
	junit_write(stdout, &limits, "./a \"b\" <c> & 'd'\n\x1b\xff");
	limits_free(&limits);
	report_free(&report);
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1) {
		print_junit();
		return 0;
	}
	words();
	names();
	judges();
	return test_failures != 0;
}
