# Makefile - verbs for people. Building the module itself is in Kbuild.

VERSION  := $(shell sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' dkms.conf)
KVER     ?= $(shell uname -r)
KDIR     ?= /lib/modules/$(KVER)/build
prefix   ?= /usr/local
DESTDIR  ?=
DKMS_SRC := /usr/src/pcinspect-$(VERSION)
# A kernel that was asked for; without KVER the module is installed for all.
ONLY     := $(if $(filter command environment,$(firstword $(origin KVER))),$(KVER))

.PHONY: all help demo check soak bench modules cli modules_install cli-install \
	install uninstall dkms-install dkms-remove dist deb static kunit unit lint kernelshark examples walkthrough clean

all: modules cli

help:
	@echo 'On a machine that has nothing but Debian and git:'
	@echo '  demo             run the main job in a guest and show it'
	@echo '  check            the tests: static, unit, KUnit, guests on 6.1, 6.12, 7.2'
	@echo '                   (CASE="FILE… [KERNEL…]": these only)'
	@echo '  soak             the same, everything much longer, with its figures'
	@echo '  bench            what it costs, in instructions'
	@echo 'To use it here:'
	@echo '  dkms-install     module, for each kernel here (KVER=…: that one), rebuilt on upgrades'
	@echo '  cli-install      command line, man pages, completion in prefix ($(prefix))'
	@echo '  install          both'
	@echo '  dkms-remove      undo dkms-install'
	@echo '  uninstall        undo install'
	@echo '  kernelshark      build the KernelShark plugin (docs/kernelshark.md)'
	@echo 'To work on it:'
	@echo '  modules          build the module in this tree'
	@echo '  modules_install  install it without dkms'
	@echo '  cli              build the command line in userspace/build'
	@echo '  lint unit kunit  one part of check'
	@echo '  examples         run the examples of the man pages and the demo; put them into docs'
	@echo '  walkthrough      make the pictures and output of docs/walkthrough.md again'
	@echo '  dist             the source as a tarball, the same from any checkout'
	@echo '  deb              Debian packages, in build/'
	@echo '  static           the program as one static file, in build/'
	@echo '  clean            remove what was built in this tree'
	@echo '  tests/vm SCRIPT  run a script in a guest (tests/vm --help)'

demo:
	@tests/demo

check:
	@tests/run $(CASE)

soak:
	@tests/soak $(CASE)

lint:
	@tests/run static

unit:
	@tests/run unit

kunit:
	@tests/run tests/cases/kunit.sh

bench:
	@tests/bench/run

examples:
	@tests/walkthrough/examples

walkthrough:
	@tests/walkthrough/first
	@tests/walkthrough/run

modules modules_install:
	$(MAKE) -C $(KDIR) M=$(CURDIR) $@

cli:
	$(MAKE) -C userspace

kernelshark:
	$(MAKE) -C plugins/kernelshark

cli-install:
	$(MAKE) -C userspace install prefix=$(prefix) DESTDIR=$(DESTDIR)

dkms-install:
	-dkms remove pcinspect/$(VERSION) --all >/dev/null 2>&1
	rm -rf $(DESTDIR)$(DKMS_SRC)
	mkdir -p $(DESTDIR)$(DKMS_SRC)
	cp -r Kbuild dkms.conf module include compat-include $(DESTDIR)$(DKMS_SRC)/
	dkms add pcinspect/$(VERSION)
	packaging/dkms-install $(VERSION) $(ONLY)

dkms-remove:
	-dkms remove pcinspect/$(VERSION) --all
	rm -rf $(DKMS_SRC)

install: dkms-install cli-install

uninstall: dkms-remove
	$(MAKE) -C userspace uninstall prefix=$(prefix) DESTDIR=$(DESTDIR)

dist:
	packaging/dist $(VERSION) pcinspect-$(VERSION).tar.gz

deb:
	packaging/deb build

static:
	packaging/static/build build/pcinspect-static

clean:
	-[ ! -d $(KDIR) ] || $(MAKE) -C $(KDIR) M=$(CURDIR) clean
	$(MAKE) -C userspace clean
	$(MAKE) -C plugins/kernelshark clean
