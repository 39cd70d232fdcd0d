// SPDX-License-Identifier: GPL-2.0-only
/* test_setup.c - why there is no module, in a tree with all that can be missing. */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/setup.h"
#include "lib/alloc.h"
#include "test.h"


static char root[] = "/tmp/pcinspect-setup.XXXXXX";

/* A file below the root, with the directories that it needs. */
static void put_bytes(const char *path, const char *bytes, size_t nr)
{
	char *full = alloc_text("%s%s", root, path), *slash;
	FILE *to;

	for (slash = strchr(full + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(full, 0777);
		*slash = '/';
	}
	to = fopen(full, "w");
	if (!to || fwrite(bytes, 1, nr, to) != nr || fclose(to)) {
		perror(full);
		exit(1);
	}
	free(full);
}

static void put(const char *path, const char *text)
{
	put_bytes(path, text, strlen(text));
}

static void drop(const char *path)
{
	char *full = alloc_text("%s%s", root, path);

	unlink(full);
	free(full);
}

static void look(const char *cause, const char *why, const char *remedy)
{
	struct setup setup;

	setup_find_cause(&setup, root, "6.12.1-amd64");
	CHECK_STR(cause, setup.cause, cause);
	CHECK(why, strstr(setup.why, why) != NULL);
	CHECK(remedy, strstr(setup.remedy, remedy) != NULL);
	setup_free(&setup);
}

int main(void)
{
	static const char module[] = "/lib/modules/6.12.1-amd64/updates/dkms/pcinspect.ko";
	char *remove;

	if (!mkdtemp(root))
		return 1;
	look("not_installed", "not installed", "make install");
	put("/usr/src/pcinspect-1/dkms.conf",
	    "AUTOINSTALL=yes\nBUILD_EXCLUSIVE_KERNEL=\"^6\\.([1-9]|1[0-9])([.-]|$)|^7\\.[0-2]([.-]|$)\"\n");
	look("no_headers", "no headers of Linux 6.12.1-amd64", "apt-get install linux-headers-6.12.1-amd64");
	put("/lib/modules/6.12.1-amd64/build/Makefile", "all:\n");
	look("other_kernel", "not built for Linux 6.12.1-amd64", "dkms autoinstall -k 6.12.1-amd64");
	put("/lib/modules/6.1.9-amd64/updates/dkms/pcinspect.ko.xz", "");
	put("/lib/modules/6.12.2-amd64/extra/pcinspect.ko", "");
	look("other_kernel", "(6.1.9-amd64, 6.12.2-amd64), not for 6.12.1-amd64", "dkms autoinstall");
	put("/var/lib/dkms/pcinspect/1/build/make.log", "error\n");
	look("build_failed", "its build for Linux 6.12.1-amd64 failed", "pcinspect/1/build/make.log");
	put(module, "no module");
	look("not_loaded", "updates/dkms/pcinspect.ko is there", "modprobe pcinspect");
	put("/sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
	put("/sys/module/module/parameters/sig_enforce", "N\n");
	put_bytes("/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c",
		  "\6\0\0\0\0", 5);
	look("not_loaded", "is there", "modprobe pcinspect");
	put("/sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	look("unsigned", "is not signed", "dkms install --force pcinspect/");
	drop("/sys/kernel/security/lockdown");
	look("not_loaded", "is there", "modprobe pcinspect");
	put("/sys/module/module/parameters/sig_enforce", "Y\n");
	look("unsigned", "is not signed", "dkms install --force");
	drop("/sys/module/module/parameters/sig_enforce");
	put_bytes("/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c",
		  "\6\0\0\0\1", 5);
	look("unsigned", "is not signed", "dkms install --force");
	put("/usr/src/pcinspect-1/dkms.conf", "BUILD_EXCLUSIVE_KERNEL=\"^7\\.\"\n");
	look("unsupported", "Linux 6.12.1-amd64 is not supported", "/usr/src/pcinspect-1/dkms.conf");
	put("/usr/src/pcinspect-1/dkms.conf", "BUILD_EXCLUSIVE_KERNEL=\"(\"\n");
	look("unsigned", "is not signed", "dkms install --force");

	remove = alloc_text("rm -r '%s'", root);
	CHECK("the tree is removed", !system(remove));
	free(remove);
	return test_failures != 0;
}
