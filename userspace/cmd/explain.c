// SPDX-License-Identifier: GPL-2.0-only
/*
 * explain.c - pcinspect explain: verdicts on the machine, and with --cgroup on a cgroup;
 * nothing has to be tracked before. Of files it is a view (cmd/views.c).
 */
#include <stdio.h>

#include "cmd/command.h"
#include "cmd/deliver.h"
#include "collect/domains.h"
#include "explain/explain.h"
#include "lib/complain.h"
#include "lib/output.h"
#include "view/json_report.h"
#include "view/report_table.h"
#include "view/text.h"

static int explain_check(const struct args *args)
{
	if (args->what.nr_paths || args->from) {
		complain(NULL, "explain: --machine and --cgroup take no PATH (leave one of them out)");
		return EXIT_USAGE;
	}
	if (args->machine && args->cgroup) {
		complain(NULL, "explain: --machine and --cgroup are two (give one)");
		return EXIT_USAGE;
	}
	return 0;
}

static int explain_show(const struct domains *domains, struct report *report,
			const struct args *args)
{
	int status = deliver_saved(report, args, 0);

	if (args->out.json) {
		if (report_json_write(report, stdout)) {
			output_failed();
			return EXIT_FAILED;
		}
	} else if (report->nr_verdicts) {
		view_verdicts(report, &args->out);
	} else {
		printf("%zu rules looked at ", report->nr_rules);
		if (domains->list[0].path)
			puts("the cgroup, nothing found");
		else
			printf("the machine and %zu cgroup%s with a limit, nothing found\n",
			       domains->nr - 1, domains->nr == 2 ? "" : "s");
	}
	if (output_failed())
		return EXIT_FAILED;
	table_audit_print(report, &args->out);
	return status;
}

static int explain_all(const struct args *args)
{
	struct domains domains = {};
	struct collect collect;
	struct report report;
	int status = explain_check(args);

	if (status)
		return status;
	if (!collect_start(&collect, &report))
		return EXIT_FAILED;
	domains.report = &report;
	if (domains_collect(&collect, &domains, args->cgroup,
			    args->pace.duration > 0 ? args->pace.duration : args->pace.interval)) {
		status = args->cgroup ? EXIT_ALL_FAILED : EXIT_FAILED;
	} else {
		explain_domains(&domains);
		status = explain_show(&domains, &report, args);
	}
	domains_free(&domains);
	collect_free(&collect);
	return status;
}

/**
 * cmd_explain() - pcinspect explain
 * @args: options and paths
 *
 * Return: exit status.
 */
int cmd_explain(const struct args *args)
{
	bool files = args->what.nr_paths || args->from;

	return args->machine || args->cgroup || !files ? explain_all(args) : cmd_view(args);
}
