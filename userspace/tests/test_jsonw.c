// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_jsonw.c - JSON written value by value: any bytes and numbers are read
 * back, and a document is whole also if a signal ends the program, between two
 * values or within one.
 */
#include <json-c/json.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/jsonw.h"
#include "test.h"

static void values(bool pretty)
{
	struct json_object *all, *value;
	char *text = NULL;
	struct jsonw w;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	jsonw_begin(&w, to, pretty);
	jsonw_open(&w, NULL, '{');
	jsonw_count(&w, "count", UINT64_MAX);
	jsonw_signed(&w, "signed", -5);
	jsonw_real(&w, "real", 0.1);
	jsonw_real(&w, "whole", 2);
	jsonw_real(&w, "nan", NAN);
	jsonw_text(&w, "text", "a\"b\\c\n\x01\xc2\x9b\xff");
	jsonw_path(&w, "path", "/a\xff");
	jsonw_row(&w, "row");
	jsonw_open(&w, "list", '[');
	jsonw_null(&w, NULL);
	jsonw_bool(&w, NULL, true);
	CHECK("it ends", !jsonw_end(&w));
	fclose(to);
	all = json_tokener_parse(text);
	CHECK("it is JSON", all != NULL);
	CHECK("one line, or many", (strchr(text, '\n') == text + size - 1) == !pretty);
	json_object_object_get_ex(all, "count", &value);
	CHECK("a count of 64 bits", json_object_get_uint64(value) == UINT64_MAX);
	json_object_object_get_ex(all, "real", &value);
	CHECK("a real", json_object_get_double(value) == 0.1);
	json_object_object_get_ex(all, "whole", &value);
	CHECK("a real that is whole", json_object_is_type(value, json_type_double));
	json_object_object_get_ex(all, "nan", &value);
	CHECK("no number", !value);
	json_object_object_get_ex(all, "text", &value);
	CHECK_STR("any bytes", json_object_get_string(value), "a\"b\\c\n\x01\xc2\x9b\xef\xbf\xbd");
	CHECK("a terminal gets no control character", !strpbrk(text, "\x01\xff") &&
	      !strstr(text, "\xc2\x9b"));
	json_object_object_get_ex(all, "path_hex", &value);
	CHECK_STR("bytes of a path", json_object_get_string(value), "2f61ff");
	json_object_put(all);
	free(text);
}

/* A stream that a signal hits as the third byte is written, and which hands on to @fd. */
static int fd, writes, kill_at;

static ssize_t hit(void *cookie, const char *text, size_t size)
{
	(void)cookie;
	if (++writes == kill_at)
		raise(SIGTERM);
	return write(fd, text, size);
}

static void killed(const char *name, int at)
{
	const cookie_io_functions_t functions = { .write = hit };
	char text[4096] = "";
	struct json_object *all, *list = NULL;
	int status, pipes[2];
	struct jsonw w;
	ssize_t n = 0;
	pid_t child;

	if (pipe(pipes))
		abort();
	fflush(stdout);
	child = fork();
	if (!child) {
		fd = pipes[1];
		kill_at = at;
		stdout = fopencookie(NULL, "w", functions);
		setvbuf(stdout, NULL, at ? _IONBF : _IOFBF, BUFSIZ);
		jsonw_begin(&w, stdout, true);
		jsonw_open(&w, NULL, '{');
		jsonw_open(&w, "files", '[');
		jsonw_row(&w, NULL);
		jsonw_text(&w, "path", "/a \"name\" that is escaped");
		if (!at)
			raise(SIGTERM);
		jsonw_count(&w, "never", 1);
		_exit(7);
	}
	close(pipes[1]);
	while ((n = read(pipes[0], text + strlen(text), sizeof(text) - 1 - strlen(text))) > 0)
		;
	close(pipes[0]);
	waitpid(child, &status, 0);
	CHECK(name, WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	all = json_tokener_parse(text);
	CHECK(name, json_object_object_get_ex(all, "files", &list));
	CHECK(name, !strstr(text, "never"));
	json_object_put(all);
}

int main(void)
{
	values(true);
	values(false);
	killed("a signal between two values", 0);
	killed("within the key of the list", 6);
	killed("within a string", 16);
	return test_failures != 0;
}
