# Clatter's build. `make help` lists the targets.
#
# Each configuration has a tree of objects of its own: build/release and build/asan. Folders are
# layers (collision < engine < scenes < render < app); libclatter.a is the first two.

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules
ifeq ($(filter -j%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)
endif

CC = gcc
CXX = g++
AR = ar
PREFIX ?= /usr/local
MARCH ?= native
SUITE ?=
VERSION := $(shell cat VERSION)
# V=1 shows whole commands.
q = $(if $(V),,@)
say = @echo

# ---- flags ------------------------------------------------------------------------------------
# psabi: vectors of doubles go between functions of one file only, whatever registers a machine has.
# pkg-config runs inside recipes only: on a fresh machine it is not there until setup has run.
warnings = -Wall -Wextra -Werror -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes \
  -Wmissing-prototypes -Wvla -Wundef -Wno-psabi
# gcc 12 forms fused multiply-add-subtract in its vectoriser even with contraction off; without the
# instructions results are the same on every build.
no_fused = $(if $(filter x86_64 i%86,$(shell uname -m)),-mno-fma -mno-fma4 -mno-avx512f)
common = -g -ffp-contract=off $(no_fused) -fno-math-errno $(if $(MARCH),-march=$(MARCH)) -I. -Ibuild/glad/include \
  -DCT_VERSION='"$(VERSION)"' -D_GNU_SOURCE -MMD -MP -pthread
packages = lua5.4 sdl2 cglm imgui libpng jansson
pkgflags = $$(pkg-config --cflags $(packages)) -I$$(pkg-config --variable=includedir imgui)/imgui
# Overflows of buffers on the stack and in calls of the C library end the program; tables of addresses are read-only.
hardened = -fstack-protector-strong -D_FORTIFY_SOURCE=2 -Wl,-z,relro,-z,now
cflags_release = -O3 -DNDEBUG $(hardened)
# The library is for archives and shared objects alike; what engine/clatter.h does not declare is hidden.
core_flags = -fPIC -fvisibility=hidden -fno-semantic-interposition
cflags_asan = -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
core_libs = -lqhull_r -lm
all_libs = -Wl,--as-needed $$(pkg-config --libs $(filter-out lua5.4,$(packages))) $(core_libs) -lstdc++ -ldl -pthread
test_libs = $$(pkg-config --libs check) -Wl,--as-needed -lmpfr -lz -lX11
peer_flags = $$(pkg-config --cflags bullet-float64 ccd)
peer_libs = $$(pkg-config --libs ccd) -lBulletCollision-float64 -lLinearMath-float64 -lstdc++ -lm

validate_libs = -lode -lBulletDynamics-float64 $(peer_libs) -lz

# ---- packages ---------------------------------------------------------------------------------
# tools/packages lists every Debian package with its group and purpose. What the goals need is installed
# in one go, before anything is compiled; NO_INSTALL=1 only checks.
goals := $(or $(MAKECMDGOALS),all)
empty :=
groups := $(strip $(if $(filter-out format clean help uninstall,$(goals)),build) $(if $(filter run test bench bench-% gallery,$(goals)),run) \
  $(if $(filter test mpi build/clatter-mpi,$(goals)),mpi) \
  $(if $(filter test bench bench-% validate build/%,$(goals)),test) $(if $(filter validate bench,$(goals)),validate) $(if $(filter lint format,$(goals)),lint) \
  $(if $(filter fuzz fuzz-check determinism,$(goals)),fuzz) $(if $(filter determinism,$(goals)),machines) \
  $(if $(filter web web-% determinism,$(goals)),web) $(if $(filter web-test web-bench web-setup,$(goals)),webtest))
setup := build/.setup-$(subst $(empty) $(empty),-,$(groups))
$(setup): tools/packages tools/setup
	@mkdir -p build
	@NO_INSTALL="$(NO_INSTALL)" tools/setup $(groups)
	@touch $@

# ---- sources ----------------------------------------------------------------------------------
core_src := $(wildcard collision/*.c engine/*/*.c engine/*/*/*.c)
scenes_src := $(wildcard scenes/*.c)
render_src := $(wildcard render/*/*.c render/*/*.cpp)
app_src := $(wildcard app/*.c app/sweep/*.c)
# What the suites need of tests/validate: Clatter's part of it.
validate_support := $(addprefix tests/validate/,cases.c systems.c tosses.c results.c peer_clatter.c)
support_src := $(wildcard tests/support/*.c) $(validate_support)
validate_src := $(filter-out $(validate_support),$(wildcard tests/validate/*.c tests/validate/*.cpp))
suites := $(patsubst tests/test_%.c,%,$(wildcard tests/test_*.c))
benches := $(patsubst tests/bench/%.c,%,$(wildcard tests/bench/bench_*.c))
peers := $(wildcard tests/peers/*.cpp tests/peers/*.c)
configs := release asan
# The archives in link order; a layer without sources has none.
layers := app $(if $(render_src),render) $(if $(scenes_src),scenes lua) clatter

.PHONY: all lib run mpi test bench validate fuzz fuzz-check determinism lint format gallery install uninstall clean help
all: build/clatter build/libclatter.a

# A program that runs, such as an open viewer, keeps the file that it was started from.
build/clatter: build/release/clatter
	@rm -f $@ && cp $< $@
build/libclatter.a: build/release/libclatter.a
	@cp $< $@
lib: build/libclatter.a build/libclatter.so.$(VERSION) build/libclatter-scenes.a

# The shared library: engine/clatter.h and nothing else.
major := $(firstword $(subst ., ,$(VERSION)))
build/libclatter.so.$(VERSION): build/release/libclatter.a tools/libclatter.map
	$(say) LINK $@
	$(q)$(CC) -shared $(hardened) -Wl,-soname,libclatter.so.$(major) -Wl,--version-script=tools/libclatter.map -Wl,--no-undefined \
	  -Wl,--whole-archive $< -Wl,--no-whole-archive -o $@ $(core_libs) -pthread
# The scene language for programs: scenes/ and Lua in one archive.
build/libclatter-scenes.a: build/release/libscenes.a build/release/liblua.a
	$(say) AR $@
	$(q)rm -f $@; printf 'create $@\naddlib build/release/libscenes.a\naddlib build/release/liblua.a\nsave\nend\n' | $(AR) -M

# ---- rules of one configuration ---------------------------------------------------------------
objects = $(patsubst %,build/$(1)/%.o,$(2))
ifneq ($(render_src),)
glad := glad
endif

define config_rules
build/$(1)/%.c.o: %.c | $$(setup)
	@mkdir -p $$(@D)
	$$(say) CC $$@
	$$(q)$$(CC) -std=c11 $$(warnings) $$(common) $$(cflags_$(1)) $$(if $$(filter collision/% engine/%,$$<),$$(core_flags),$$(pkgflags)) -c $$< -o $$@
build/$(1)/%.cpp.o: %.cpp | $$(setup)
	@mkdir -p $$(@D)
	$$(say) CXX $$@
	$$(q)$$(CXX) -std=c++17 -Wall -Wextra -Werror $$(common) $$(cflags_$(1)) $$(pkgflags) $$(if $$(filter tests/peers/% tests/validate/%,$$<),$$(peer_flags)) -c $$< -o $$@
$(call objects,$(1),$(render_src) $(support_src) $(wildcard tests/*.c tests/bench/*.c)): | build/glad/include/glad/gl.h
build/$(1)/glad.o: build/glad/src/gl.c
	@mkdir -p $$(@D)
	$$(say) CC $$@
	$$(q)$$(CC) -std=c11 -O2 -g $$(hardened) -Ibuild/glad/include -c $$< -o $$@

$(call objects,$(1),$(core_src)): tools/libclatter.map
build/$(1)/libclatter.a: $(call objects,$(1),$(core_src))
build/$(1)/libscenes.a: $(call objects,$(1),$(scenes_src))
build/$(1)/librender.a: $(call objects,$(1),$(render_src) build/shaders.c) $(glad:%=build/$(1)/%.o)
build/$(1)/libapp.a: $(call objects,$(1),$(filter-out app/main.c,$(app_src)))
# Debian's Lua with the elementary functions of collision/ in the place of libm's: x^y of a scene has the same bits everywhere.
build/$(1)/liblua.a: tools/lua-symbols | $$(setup)
	@mkdir -p $$(@D)
	$$(q)objcopy --redefine-syms=$$< $$$$(pkg-config --variable=libdir lua5.4)/liblua5.4.a $$@
build/$(1)/libsupport.a: $(call objects,$(1),$(support_src) $(peers))
build/$(1)/%.a:
	@rm -f $$@
	$$(say) AR $$@
	$$(q)$$(AR) qcs $$@ $$^

archives_$(1) := $(foreach a,$(layers),build/$(1)/lib$(a).a)
build/$(1)/clatter: build/$(1)/app/main.c.o $$(archives_$(1))
	$$(say) LINK $$@
	$$(q)$$(CC) $$(common) $$(cflags_$(1)) $$^ -o $$@ $$(all_libs)
build/$(1)/tests/test_%: build/$(1)/tests/test_%.c.o build/$(1)/libsupport.a $$(archives_$(1))
	$$(say) LINK $$@
	$$(q)$$(CC) $$(common) $$(cflags_$(1)) $$^ -o $$@ $$(test_libs) $(if $(peers),$$(peer_libs)) $$(all_libs)
build/$(1)/tests/bench/bench_%: build/$(1)/tests/bench/bench_%.c.o build/$(1)/libsupport.a $$(archives_$(1))
	$$(say) LINK $$@
	$$(q)$$(CC) $$(common) $$(cflags_$(1)) $$^ -o $$@ $(if $(peers),$$(peer_libs)) $$(all_libs)
endef
$(foreach c,$(configs),$(eval $(call config_rules,$(c))))
.SECONDARY:
-include $(shell find build -name '*.d' 2>/dev/null)

# glad: the OpenGL loader, generated from the specification that Debian's package carries.
build/glad/src/gl.c build/glad/include/glad/gl.h &: | $(setup)
	glad --reproducible --api gl:core=3.3 --extensions '' --out-path build/glad c >build/glad.log 2>&1 || { cat build/glad.log; exit 1; }

# The shaders are part of the program.
build/shaders.c: $(wildcard assets/shaders/*) tools/embed-shaders
	@mkdir -p $(@D)
	$(q)tools/embed-shaders $(wildcard assets/shaders/*) >$@

include web/web.mk

# ---- targets for people -----------------------------------------------------------------------
run: build/clatter
	@tools/run

chosen := $(if $(SUITE),$(SUITE),$(suites))
test_programs = $(foreach c,$(configs),$(chosen:%=build/$(c)/tests/test_%) build/$(c)/clatter)
# The Khronos validator of glTF files, for the tests of exports.
validator := build/node_modules/gltf-validator/package.json
$(validator): tests/npm/package.json tests/npm/package-lock.json | $(setup)
	@cp tests/npm/package.json tests/npm/package-lock.json build/
	npm ci --prefix build --ignore-scripts --no-audit --no-fund --silent || \
	  echo 'The glTF validator could not be installed; the test of exports will fail.'
	@touch -c $@

# The suite of threads once more under ThreadSanitizer, with as much of the project as it needs.
tsan_src := $(core_src) tests/test_threads.c $(addprefix tests/support/,random.c suite.c worlds.c)
build/tsan/%.c.o: %.c | $(setup)
	@mkdir -p $(@D)
	$(say) CC $@
	$(q)$(CC) -std=c11 $(warnings) $(common) -O2 -DNDEBUG -fsanitize=thread -c $< -o $@
build/tsan/tests/test_threads: $(call objects,tsan,$(tsan_src))
	$(say) LINK $@
	$(q)$(CC) -fsanitize=thread $^ -o $@ $$(pkg-config --libs check) $(core_libs) -pthread

# Sweeps on many machines.
mpi_flags = $$(pkg-config --cflags ompi-c)
mpi_libs = $$(pkg-config --libs ompi-c)
mpi: build/clatter-mpi
build/clatter-mpi: app/mpi/main.c $(archives_release) | $(setup)
	$(say) LINK $@
	$(q)$(CC) -std=c11 $(warnings) $(common) $(cflags_release) $(mpi_flags) $< $(archives_release) -o $@ $(all_libs) $(mpi_libs)

test: $(test_programs) build/clatter build/clatter-mpi build/libclatter.a $(validator) \
  $(if $(filter threads,$(chosen)),build/tsan/tests/test_threads)
	@tools/run-tests '$(configs) $(if $(filter threads,$(chosen)),tsan)' '$(chosen)'

# Clatter beside Bullet and ODE on the same scenes: one table, in about a minute. BENCH="gas pile" runs some of them.
BENCH ?=
build/release/tests/bench/compare: $(call objects,release,tests/bench/compare.c $(filter %peer_bullet.cpp %peer_ode.c,$(validate_src))) \
  build/release/libsupport.a $(archives_release)
	$(say) LINK $@
	$(q)$(CC) $(common) $(cflags_release) $^ -o $@ $(validate_libs) $(all_libs)
bench: build/release/tests/bench/compare
	@$< $$(git describe --always --dirty 2>/dev/null || echo unknown) $$(date -u +%Y-%m-%d) $(BENCH)
# The details: one program of tests/bench, for example make bench-islands.
bench-%: build/release/tests/bench/bench_%
	@$<

# Clatter beside closed forms, measurements and other engines: writes docs/validation.md and its plots anew.
build/release/tests/validate/validate: $(call objects,release,$(validate_src)) build/release/libsupport.a $(archives_release)
	$(say) LINK $@
	$(q)$(CC) $(common) $(cflags_release) $^ -o $@ $(validate_libs) $(all_libs)
validate: build/release/tests/validate/validate
	@$< docs $$(git describe --always --dirty 2>/dev/null || echo unknown) $$(date -u +%Y-%m-%d)

# Fuzz targets, for SECONDS each, from the seeds of tests/fuzz/corpus; what they find is left in build/fuzz.
SECONDS ?= 60
TARGET ?=
fuzzers := $(or $(TARGET),$(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/fuzz_*.c)))
fuzz_src := $(core_src) $(scenes_src) $(filter-out app/main.c,$(app_src)) render/files/atomic_file.c render/files/columns.c render/record/video_writer.c
build/fuzz/obj/%.c.o: %.c | $(setup)
	@mkdir -p $(@D)
	$(say) CLANG $@
	$(q)clang -std=c11 -O1 -g -ffp-contract=off -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all \
	  -D_GNU_SOURCE -DCT_VERSION='"$(VERSION)"' -MMD -MP -I. $(pkgflags) -c $< -o $@
build/fuzz/libfuzz.a: $(fuzz_src:%=build/fuzz/obj/%.o)
	@rm -f $@
	$(q)$(AR) qcs $@ $^
build/fuzz/%: build/fuzz/obj/tests/fuzz/%.c.o build/fuzz/libfuzz.a build/release/liblua.a | $(setup)
	$(say) LINK $@
	$(q)clang -fsanitize=fuzzer,address,undefined $< build/fuzz/libfuzz.a build/release/liblua.a build/fuzz/libfuzz.a -o $@ -ljansson $(core_libs) -ldl -pthread
fuzz: $(fuzzers:%=build/fuzz/%)
	@tools/run-fuzz $(SECONDS) $(fuzzers)
# The same inputs every time, a few seconds' worth of each: what continuous integration runs.
fuzz-check: $(fuzzers:%=build/fuzz/%)
	@tools/run-fuzz check $(fuzzers)

# Every demo's state from gcc and clang, unoptimised and optimised, with musl, and for arm64.
determinism: | $(setup)
	@tools/check-determinism

# Pictures of the demos, for the documentation and the viewer.
gallery: build/clatter
	@tools/gallery

sources = $(shell git ls-files '*.c' '*.h' '*.cpp')
pages = $(filter-out docs/gallery.md docs/reference.md docs/validation.md,$(shell git ls-files '*.md')) # the others are made
lint: build/clatter lib | $(setup)
	$(say) clang-format
	$(q)clang-format --dry-run --Werror $(sources)
	$(say) check-layers
	$(q)tools/check-layers build/release
	$(q)tools/draw-rooms build/release --check docs/rooms.svg
	$(say) count-numbers
	$(q)tools/count-numbers
	$(say) check-names
	$(q)tools/check-names $(addprefix docs/,architecture.md engine.md contact.md impact.md collision.md broadphase_toi.md shapes.md terrain.md)
	$(say) check-columns
	$(q)tools/check-columns $(pages)
	$(say) check-symbols
	$(q)tools/check-symbols
	$(say) elementary-tables
	$(q)mkdir -p build/tables && tools/elementary-tables build/tables && for f in h c; do \
	  cmp build/tables/elementary_tables.$$f collision/elementary_tables.$$f || exit 1; done
	$(say) make-reference
	$(q)mkdir -p build && tools/make-reference > build/reference.md && cmp build/reference.md docs/reference.md
	$(say) cppcheck
	$(q)cppcheck --quiet --std=c11 --language=c --error-exitcode=1 --inline-suppr --enable=warning,performance,portability \
	  --suppressions-list=tools/cppcheck.txt -j$$(nproc) -I. -DCT_VERSION='""' $(filter %.c,$(sources))

format: | $(setup)
	clang-format -i $(sources)
	tools/check-columns --fix $(pages)

install: all lib
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/include
	install -d $(DESTDIR)$(PREFIX)/share/clatter/scenes $(DESTDIR)$(PREFIX)/share/clatter/assets
	install -m 755 build/clatter $(DESTDIR)$(PREFIX)/bin/clatter
	install -m 644 build/libclatter.a build/libclatter-scenes.a $(DESTDIR)$(PREFIX)/lib
	install -m 755 build/libclatter.so.$(VERSION) $(DESTDIR)$(PREFIX)/lib
	ln -sf libclatter.so.$(VERSION) $(DESTDIR)$(PREFIX)/lib/libclatter.so.$(major)
	ln -sf libclatter.so.$(major) $(DESTDIR)$(PREFIX)/lib/libclatter.so
	tools/flatten-header engine/clatter.h > $(DESTDIR)$(PREFIX)/include/clatter.h
	tools/flatten-header scenes/scene.h scenes/measure.h > $(DESTDIR)$(PREFIX)/include/clatter-scenes.h
	for p in clatter clatter-scenes; do sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' tools/$$p.pc.in \
	  > $(DESTDIR)$(PREFIX)/lib/pkgconfig/$$p.pc; done
	for f in scenes/*.lua; do [ ! -e "$$f" ] || install -m 644 "$$f" $(DESTDIR)$(PREFIX)/share/clatter/scenes/; done
	install -d $(DESTDIR)$(PREFIX)/share/clatter/scenes/toss
	install -m 644 scenes/toss/* $(DESTDIR)$(PREFIX)/share/clatter/scenes/toss/
	cp -R assets/gallery assets/pictures assets/*.png $(DESTDIR)$(PREFIX)/share/clatter/assets/
	install -d $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/bash-completion/completions \
	  $(DESTDIR)$(PREFIX)/share/zsh/site-functions $(DESTDIR)$(PREFIX)/share/doc/clatter/docs
	tools/manpage build/clatter > $(DESTDIR)$(PREFIX)/share/man/man1/clatter.1
	install -m 644 tools/completion/clatter.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/clatter
	install -m 644 tools/completion/_clatter $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_clatter
	install -m 644 README.md CHANGELOG.md CONTRIBUTING.md LICENSE $(DESTDIR)$(PREFIX)/share/doc/clatter/
	cp -R docs/. $(DESTDIR)$(PREFIX)/share/doc/clatter/docs/
	ln -sfn ../../clatter/assets $(DESTDIR)$(PREFIX)/share/doc/clatter/assets

# Removes what make install has put there, and nothing else.
uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/clatter $(DESTDIR)$(PREFIX)/lib/libclatter.a $(DESTDIR)$(PREFIX)/lib/libclatter-scenes.a \
	  $(DESTDIR)$(PREFIX)/lib/libclatter.so* $(DESTDIR)$(PREFIX)/include/clatter-scenes.h $(DESTDIR)$(PREFIX)/lib/pkgconfig/clatter-scenes.pc $(DESTDIR)$(PREFIX)/include/clatter.h \
	  $(DESTDIR)$(PREFIX)/lib/pkgconfig/clatter.pc $(DESTDIR)$(PREFIX)/share/man/man1/clatter.1 \
	  $(DESTDIR)$(PREFIX)/share/bash-completion/completions/clatter $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_clatter
	rm -rf $(DESTDIR)$(PREFIX)/share/clatter $(DESTDIR)$(PREFIX)/share/doc/clatter

clean:
	rm -rf build out

help:
	@echo 'make all       build build/clatter and build/libclatter.a (the default)'
	@echo 'make run       install what is missing, build, and start Clatter on the bowling demo'
	@echo 'make test      install what is missing, build, and run every suite: optimised, and under sanitizers'
	@echo '               make test SUITE=gjk runs one of: $(suites)'
	@echo 'make mpi       build build/clatter-mpi, which sweeps on many machines (docs/sweep.md)'
	@echo 'make bench     time the same scenes in Clatter, Bullet and ODE: one table; BENCH="gas pile" runs some of them'
	@echo 'make bench-N   run one program of tests/bench: N is $(patsubst bench_%,%,$(benches))'
	@echo 'make validate  compare with closed forms, measurements, Bullet and ODE: writes docs/validation.md'
	@echo 'make fuzz      run the fuzz targets of tests/fuzz, for SECONDS=60 each'
	@echo 'make fuzz-check  run a fixed number of inputs of each fuzz target: the same every time'
	@echo 'make determinism   compare the state of every demo between builds: gcc, clang, -O0 to -O3, musl, arm64, WebAssembly'
	@echo 'make lint      check formatting, static analysis, and that rooms use only rooms below them'
	@echo 'make format    format the sources in place'
	@echo 'make gallery   pictures of the demos: assets/gallery and docs/gallery.md'
	@echo 'make install   install into PREFIX ($(PREFIX)): program, library, header, scenes, assets'
	@echo 'make uninstall   remove what make install has put into PREFIX'
	@echo 'make web       build the page for browsers into build/web/site, and the module for JavaScript into build/web/npm'
	@echo 'make web-run   serve that page on this machine, PORT=8080'
	@echo 'make web-test  test both, in node and in headless Chromium'
	@echo 'make web-bench   time every demo in Chromium and in node beside the native program'
	@echo 'make clean     remove everything that was built'
	@echo
	@echo 'Options: NO_INSTALL=1 only checks for packages and prints the apt line; MARCH= builds for any'
	@echo 'machine of this architecture instead of this one.'
