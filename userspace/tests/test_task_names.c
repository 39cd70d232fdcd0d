// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_task_names.c - names that ftrace remembers, one of them with a line break.
 */
#include <tracefs.h>

#include "test.h"
#include "trace/task_names.h"

int main(void)
{
	char text[] = "188 e\033[2J\n\377!\n18 rcu_preempt\nno number\n7\n-5 less\n"
		      "182 two words\n9 \n";
	FILE *from = fmemopen(text, strlen(text), "r");
	struct tep_handle *comms = tep_alloc();

	task_names_load(from, comms);
	fclose(from);
	CHECK_STR("a name with a line break, up to it", tep_data_comm_from_pid(comms, 188),
		  "e\033[2J");
	CHECK_STR("a name behind it", tep_data_comm_from_pid(comms, 18), "rcu_preempt");
	CHECK_STR("a name of two words", tep_data_comm_from_pid(comms, 182), "two words");
	CHECK_STR("an empty name", tep_data_comm_from_pid(comms, 9), "");
	CHECK("a line without a name", !strcmp(tep_data_comm_from_pid(comms, 7), "<...>"));
	tep_free(comms);
	return test_failures != 0;
}
