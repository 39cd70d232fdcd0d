// SPDX-License-Identifier: GPL-2.0-only
/*
 * setup.c - the reason why the module is not loaded, and its remedy: from what is
 * installed for the running kernel, for other kernels, and how the kernel checks
 * signatures. Nothing is loaded, built or changed.
 *
 * Touches: reads /lib/modules, /usr/src, /var/lib/dkms, EFI variables, what the kernel
 * says of lockdown; runs modinfo, which knows compressed modules.
 */
#include <glob.h>
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/setup.h"
#include "lib/alloc.h"
#include "lib/keyfile.h"

#define MOK		"/var/lib/dkms/mok.pub"
#define MOK_LIST	"/sys/firmware/efi/mok-variables/MokListRT"
#define MOK_LIST_VAR	"/sys/firmware/efi/efivars/MokListRT-605dab50-e046-4300-abb6-3dd810dd8b23"
#define SECURE_BOOT	"/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
#define LOCKDOWN	"/sys/kernel/security/lockdown"
#define SIG_ENFORCE	"/sys/module/module/parameters/sig_enforce"
#define CERTIFICATE_MAX	65536	/* bytes of a list of certificates that are looked at */

static void set_cause(struct setup *setup, const char *cause, char *why, char *remedy)
{
	setup->cause = cause;
	setup->why = why;
	setup->remedy = remedy;
}

/* The first path of a pattern below @root, or NULL. */
static char *first_of(const char *root, const char *pattern)
{
	char *full = alloc_text("%s%s", root, pattern), *found = NULL;
	glob_t paths;

	if (!glob(full, 0, NULL, &paths) && paths.gl_pathc)
		found = alloc_copy(paths.gl_pathv[0]);
	globfree(&paths);
	free(full);
	return found;
}

/* The module that modprobe would load for a kernel, or NULL. */
static char *module_of(const char *root, const char *release)
{
	static const char *const places[] = { "updates/dkms", "updates", "extra" };
	char *pattern, *found = NULL;
	size_t i;

	for (i = 0; !found && i < sizeof(places) / sizeof(*places); i++) {
		pattern = alloc_text("/lib/modules/%s/%s/pcinspect.ko*", release, places[i]);
		found = first_of(root, pattern);
		free(pattern);
	}
	return found;
}

/* The kernels that it is built for, with a comma between, or NULL. */
static char *built_for(const char *root)
{
	char *pattern = alloc_text("%s/lib/modules/*/{updates/dkms,updates,extra}/pcinspect.ko*", root);
	const char *release, *end;
	char *all = NULL, *more;
	glob_t paths;
	size_t i;

	if (!glob(pattern, GLOB_BRACE, NULL, &paths)) {
		for (i = 0; i < paths.gl_pathc; i++) {
			release = strstr(paths.gl_pathv[i] + strlen(root), "/modules/") + 9;
			end = strchr(release, '/');
			more = alloc_text("%s%s%.*s", all ?: "", all ? ", " : "",
					  (int)(end - release), release);
			free(all);
			all = more;
		}
		globfree(&paths);
	}
	free(pattern);
	return all;
}

/* Does the dkms.conf at @path leave a kernel out? */
static bool is_excluded(const char *path, const char *release)
{
	static const char key[] = "BUILD_EXCLUSIVE_KERNEL=\"";
	struct keyfile file;
	bool excluded = false;
	regex_t accepted;

	keyfile_open(&file, "%s", path);
	while (keyfile_line(&file)) {
		char *pattern = file.line + sizeof(key) - 1;

		if (strncmp(file.line, key, sizeof(key) - 1))
			continue;
		pattern[strcspn(pattern, "\"")] = '\0';
		if (regcomp(&accepted, pattern, REG_EXTENDED | REG_NOSUB))
			continue;
		excluded = regexec(&accepted, release, 0, NULL, 0);
		regfree(&accepted);
	}
	keyfile_close(&file);
	return excluded;
}

/* A field of modinfo, "" if it has none. */
static char *info_of(const char *module, const char *field)
{
	char *command = alloc_text("modinfo -F %s '%s' 2>/dev/null", field, module);
	FILE *from = popen(command, "re");
	char line[256] = "";

	if (from && !fgets(line, sizeof(line), from))
		*line = '\0';
	if (from)
		pclose(from);
	free(command);
	line[strcspn(line, " \n")] = '\0';
	return alloc_copy(line);
}

/* Bytes of a file, at most @room. */
static size_t bytes_of(const char *root, const char *path, char *bytes, size_t room)
{
	char *full = alloc_text("%s%s", root, path);
	FILE *from = fopen(full, "re");
	size_t n = 0;

	if (from) {
		n = fread(bytes, 1, room, from);
		fclose(from);
	}
	free(full);
	return n;
}

/* Does the kernel refuse modules that it does not know the signature of? */
static bool signatures_count(const char *root)
{
	char text[64] = "";

	if (bytes_of(root, LOCKDOWN, text, sizeof(text) - 1) && !strstr(text, "[none]"))
		return true;
	if (bytes_of(root, SIG_ENFORCE, text, 1) && *text == 'Y')
		return true;
	/* Four bytes of attributes, and the value. */
	return bytes_of(root, SECURE_BOOT, text, sizeof(text)) >= 5 && text[4] == 1;
}

/* Is the certificate of dkms' key missing among the machine owner's? Without one nobody knows. */
static bool is_not_enrolled(const char *root)
{
	char *key = alloc_array(NULL, CERTIFICATE_MAX, 1), *list = alloc_array(NULL, CERTIFICATE_MAX, 1);
	size_t nr_key = bytes_of(root, MOK, key, CERTIFICATE_MAX), nr_list;
	bool missing;

	nr_list = bytes_of(root, MOK_LIST, list, CERTIFICATE_MAX) ?:
		  bytes_of(root, MOK_LIST_VAR, list, CERTIFICATE_MAX);
	missing = nr_key && (!nr_list || !memmem(list, nr_list, key, nr_key));
	free(key);
	free(list);
	return missing;
}

/* There is a module for this kernel. */
static void look_at_module(struct setup *setup, const char *root, const char *release,
			   const char *module)
{
	char *of = info_of(module, "vermagic"), *signature = info_of(module, "sig_id");
	bool count = signatures_count(root);

	if (*of && strcmp(of, release))
		set_cause(setup, "other_kernel", alloc_text("%s is built for Linux %s, not for %s", module,
							    of, release),
			  alloc_text("dkms install --force pcinspect/%s -k %s", PCINSPECT_VERSION, release));
	else if (count && !*signature)
		set_cause(setup, "unsigned", alloc_text("%s is not signed, and this kernel loads signed modules only (Secure Boot or lockdown)",
							module),
			  alloc_text("dkms install --force pcinspect/%s -k %s", PCINSPECT_VERSION, release));
	else if (count && is_not_enrolled(root))
		set_cause(setup, "key_not_enrolled", alloc_text("the firmware does not know the key that %s is signed with",
								module),
			  alloc_copy("mokutil --import " MOK "; then reboot, and enroll it"));
	else
		set_cause(setup, "not_loaded", alloc_text("%s is there", module),
			  alloc_copy("modprobe pcinspect"));
	free(of);
	free(signature);
}

/* There is none. */
static void look_at_source(struct setup *setup, const char *root, const char *release,
			   const char *source)
{
	char *headers = alloc_text("%s/lib/modules/%s/build/Makefile", root, release);
	char *log = first_of(root, "/var/lib/dkms/pcinspect/*/build/make.log");
	char *others = built_for(root);

	if (!source && !others)
		set_cause(setup, "not_installed", alloc_copy("it is not installed"),
			  alloc_copy("make install, in the directory of its source"));
	else if (access(headers, F_OK))
		set_cause(setup, "no_headers", alloc_text("there are no headers of Linux %s to build it with",
							  release),
			  alloc_text("apt-get install linux-headers-%s", release));
	else if (log)
		set_cause(setup, "build_failed", alloc_text("its build for Linux %s failed", release),
			  alloc_text("less %s", log));
	else
		set_cause(setup, "other_kernel", others ?
			  alloc_text("it is built for other kernels only (%s), not for %s", others, release) :
			  alloc_text("it is not built for Linux %s", release),
			  alloc_text("dkms autoinstall -k %s", release));
	free(headers);
	free(log);
	free(others);
}

/**
 * setup_find_cause() - why is the module not loaded
 * @setup: filled in; setup_free() it
 * @root: before all paths: ""
 * @release: of the running kernel
 */
void setup_find_cause(struct setup *setup, const char *root, const char *release)
{
	char *source = first_of(root, "/usr/src/pcinspect-*/dkms.conf");
	char *module = module_of(root, release);

	if (source && is_excluded(source, release))
		set_cause(setup, "unsupported", alloc_text("Linux %s is not supported", release),
			  alloc_text("boot one that BUILD_EXCLUSIVE_KERNEL of %s accepts", source));
	else if (module)
		look_at_module(setup, root, release, module);
	else
		look_at_source(setup, root, release, source);
	free(source);
	free(module);
}

void setup_free(struct setup *setup)
{
	free(setup->why);
	free(setup->remedy);
}
