# The browser build. It uses Debian's emscripten and compiles the libraries that the viewer needs from Debian's source
# packages, once, into build/web. Everything is built twice: with the 128-bit vector instructions of WebAssembly
# (simd), and without (plain) for browsers that lack them. Both give the same bits.
web_out := build/web
web_site := $(web_out)/site
web_src := $(web_out)/src
web_variants := plain simd
EMCC = emcc

web_warnings = -Wall -Wextra -Werror -Wno-sign-conversion -Wno-psabi -Wno-bitwise-instead-of-logical -Wno-string-concatenation
web_flags = -O3 -DNDEBUG -ffp-contract=off -fno-math-errno -D_GNU_SOURCE -DCT_VERSION='"$(VERSION)"' -MMD -MP \
  -I. -Iweb/include -I$(web_out)/glad/include -I$(web_out)/include -I$(web_src)/lua/src -I$(web_src)/qhull/src \
  -I$(web_src)/SDL2/include -I$(web_src)/imgui -DIMGUI_IMPL_OPENGL_ES3
web_flags_plain =
web_flags_simd = -msimd128 -fno-slp-vectorize -fno-vectorize

# The sources of the viewer on a page. Files for the desktop only (recording with ffmpeg, PNG, glTF) are left out;
# web/pictures.c replaces them.
web_viewer_src := $(filter-out render/record/% render/export/% render/files/png_write.c render/gui/pictures.c \
  render/viewer/viewer_pictures.c,$(render_src)) build/shaders.c web/viewer.c web/pictures.c app/options.c app/scene_options.c
web_library_src := web/library.c
# The libraries. SDL2's headers have a configuration for the browser; these are the folders that it needs.
web_sdl_src = $(wildcard $(addprefix $(web_src)/SDL2/src/,*.c atomic/*.c audio/*.c audio/dummy/*.c audio/disk/*.c \
  audio/emscripten/*.c cpuinfo/*.c events/*.c file/*.c filesystem/emscripten/*.c haptic/*.c haptic/dummy/*.c \
  joystick/*.c joystick/emscripten/*.c libm/*.c loadso/dlopen/*.c locale/*.c locale/emscripten/*.c misc/*.c \
  misc/emscripten/*.c power/*.c power/emscripten/*.c sensor/*.c sensor/dummy/*.c stdlib/*.c thread/*.c \
  thread/generic/*.c timer/*.c timer/unix/*.c video/*.c video/emscripten/*.c video/yuv2rgb/*.c))
web_lua_src = $(filter-out %/lua.c %/luac.c,$(wildcard $(web_src)/lua/src/*.c))
web_qhull_src = $(wildcard $(web_src)/qhull/src/libqhull_r/*.c)
web_imgui_src = $(addprefix $(web_src)/imgui/,imgui.cpp imgui_draw.cpp imgui_tables.cpp imgui_widgets.cpp \
  backends/imgui_impl_sdl.cpp backends/imgui_impl_opengl3.cpp)

web_exports_viewer = _main,_malloc,_free
web_link = -O3 -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=67108864 -sMAXIMUM_MEMORY=2147483648 -sTOTAL_STACK=4194304 \
  -sMODULARIZE=1 -sEXPORT_ES6=1 -sDYNAMIC_EXECUTION=0 -sEXIT_RUNTIME=0 -sFILESYSTEM=1 \
  -sEXPORTED_FUNCTIONS=_main,_malloc,_free -sEXPORTED_RUNTIME_METHODS=FS,UTF8ToString,stringToUTF8,lengthBytesUTF8,ccall
web_viewer_link = $(web_link) -sENVIRONMENT=web -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 -sFULL_ES3=1 \
  '-sDEFAULT_LIBRARY_FUNCS_TO_INCLUDE=[$$autoResumeAudioContext,$$dynCall]'

web_object = $(patsubst %,$(web_out)/obj/$(1)/%.o,$(2))
web_core_src := $(core_src) $(scenes_src)
web_library_objects = $(call web_object,$(1),$(web_core_src) $(web_library_src) $(web_lua_src) $(web_qhull_src))
web_viewer_objects = $(call web_object,$(1),$(web_core_src) $(web_viewer_src) $(web_lua_src) $(web_qhull_src) \
  $(web_sdl_src) $(web_imgui_src)) $(web_out)/obj/$(1)/glad.o
# The compiler's scripts use Debian's node packages, whichever node runs them.
web_env = NODE_PATH=/usr/share/nodejs

# Lua's arithmetic uses the engine's elementary functions, as on the desktop.
web_lua_names := $(shell awk '!/^\#/ && NF == 2 { print "-D" $$1 "=" $$2 }' tools/lua-symbols)

define web_rules
$(web_out)/obj/$(1)/$(web_src)/lua/%.c.o: $(web_src)/lua/%.c tools/lua-symbols | $(web_src)/.done
	@mkdir -p $$(@D)
	$(say) EMCC lua/$$*.c
	$(q)$(web_env) $(EMCC) -w $(web_flags) $(web_flags_$(1)) $(web_lua_names) -c $$< -o $$@
$(web_out)/obj/$(1)/$(web_src)/%.c.o: $(web_src)/%.c | $(web_src)/.done
	@mkdir -p $$(@D)
	$(say) EMCC $$*.c
	$(q)$(web_env) $(EMCC) -w $(web_flags) $(web_flags_$(1)) -c $$< -o $$@
$(web_out)/obj/$(1)/$(web_src)/%.cpp.o: $(web_src)/%.cpp | $(web_src)/.done
	@mkdir -p $$(@D)
	$(say) EMCC $$*.cpp
	$(q)$(web_env) $(EMCC) -w $(web_flags) $(web_flags_$(1)) -fno-exceptions -c $$< -o $$@
$(web_out)/obj/$(1)/%.c.o: %.c | $(web_out)/.ready
	@mkdir -p $$(@D)
	$(say) EMCC $$<
	$(q)$(web_env) $(EMCC) -std=gnu11 $(web_warnings) $(web_flags) $(web_flags_$(1)) -c $$< -o $$@
$(web_out)/obj/$(1)/%.cpp.o: %.cpp | $(web_out)/.ready
	@mkdir -p $$(@D)
	$(say) EMCC $$<
	$(q)$(web_env) $(EMCC) -std=c++17 -fno-exceptions $(web_warnings) $(web_flags) $(web_flags_$(1)) -c $$< -o $$@
$(web_out)/obj/$(1)/glad.o: | $(web_out)/.ready
	@mkdir -p $$(@D)
	$(q)$(web_env) $(EMCC) -w $(web_flags) -c $(web_out)/glad/src/gles2.c -o $$@
endef
$(foreach v,$(web_variants),$(eval $(call web_rules,$(v))))

# Sources, the loader of OpenGL ES, and the headers of cglm in a separate folder: the compiler must not find the
# system's C headers.
$(web_src)/.done: tools/web-sources | $(setup)
	@tools/web-sources $(web_src)
$(web_out)/.ready: $(web_src)/.done
	@mkdir -p $(web_out)/include
	@cp -R $$(pkg-config --variable=includedir cglm)/cglm $(web_out)/include/
	@glad --reproducible --api gles2=3.0 --extensions '' --out-path $(web_out)/glad c >$(web_out)/glad.log 2>&1 || { cat $(web_out)/glad.log; exit 1; }
	@touch $@

# ---- the library as a module -------------------------------------------------------------------
web_npm := $(web_out)/npm/clatter
web_demos := $(wildcard scenes/*.lua)
web_data = $(foreach f,$(web_demos) $(wildcard scenes/toss/*.csv),--embed-file $(f)@/$(f))
define web_library_rules
$(web_out)/link/library-$(1).mjs: $(call web_library_objects,$(1)) $(web_demos) web/web.mk
	@mkdir -p $$(@D)
	$(say) EMLINK $$@
	$(q)$(web_env) $(EMCC) $(web_link) $(web_flags_$(1)) -sENVIRONMENT=web -sINITIAL_MEMORY=33554432 \
	  $(web_data) $(call web_library_objects,$(1)) -o $$@
endef
$(foreach v,$(web_variants),$(eval $(call web_library_rules,$(v))))

$(web_npm)/package.json: $(web_variants:%=$(web_out)/link/library-%.mjs) $(wildcard web/npm/*) VERSION
	@mkdir -p $(@D)
	@cp web/npm/* LICENSE $(@D)
	@sed 's|@VERSION@|$(VERSION)|' web/npm/package.json >$@
	@cp $(web_out)/link/library-simd.mjs $(@D)/clatter-core.js
	@cp $(web_out)/link/library-simd.wasm $(@D)/clatter-simd.wasm
	@cp $(web_out)/link/library-plain.wasm $(@D)/clatter-plain.wasm

# ---- the page ----------------------------------------------------------------------------------
web_font := /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
web_viewer_data = $(web_data) --embed-file $(web_font)@$(web_font)
define web_viewer_rules
$(web_out)/link/viewer-$(1).mjs: $(call web_viewer_objects,$(1)) $(web_demos) web/web.mk
	@mkdir -p $$(@D)
	$(say) EMLINK $$@
	$(q)$(web_env) $(EMCC) $$(web_viewer_link) $(web_flags_$(1)) $(web_viewer_data) $(call web_viewer_objects,$(1)) -o $$@
endef
$(foreach v,$(web_variants),$(eval $(call web_viewer_rules,$(v))))

# The hashes of all demos as the desktop computes them. The page compares its own with them.
$(web_out)/hashes.json: build/clatter $(web_demos)
	@mkdir -p $(@D)
	@{ echo '{'; for f in $$(build/clatter list | cut -f 1); do \
	  build/clatter sim $$f --stats $(web_out)/stats.json >/dev/null && \
	  sed -n "s/.*\"state_hash\": *\"\([0-9a-f]*\)\".*/  \"$$f\": \"\1\",/p" $(web_out)/stats.json; done; \
	  echo '  "": ""'; echo '}'; } >$@

$(web_site)/index.html: $(web_variants:%=$(web_out)/link/viewer-%.mjs) $(web_out)/hashes.json $(wildcard web/page/*) web/npm/vectors.js
	@mkdir -p $(@D)
	@cp web/page/* web/npm/vectors.js $(web_out)/hashes.json $(@D)
	@rm -rf $(@D)/gallery && cp -R assets/gallery $(@D)/gallery
	@cp $(web_out)/link/viewer-simd.mjs $(@D)/viewer.js
	@for v in $(web_variants); do cp $(web_out)/link/viewer-$$v.wasm $(@D)/; done
	@touch $@

.PHONY: web web-build web-run web-setup web-test web-bench
web: $(web_src)/.done build/clatter
	@$(MAKE) --no-print-directory web-build
	@echo "The page is in $(web_site): $$(du -sh $(web_site) | cut -f 1), $$(tar -cz -C $(web_site) . | wc -c | awk '{printf "%.1f MB", $$1 / 1e6}') compressed. Look at it with: make web-run"
web-build: $(web_site)/index.html $(web_npm)/package.json
	@cd $(web_npm) && npm pack --silent --pack-destination .. >/dev/null
PORT ?= 8080
web-run: web
	@node web/serve.mjs $(web_site) $(PORT)

# Tests: the module in node, the page in headless Chromium. The drivers come from the npm registry, with versions locked
# in tests/web.
web_driver := $(web_out)/test/node_modules/.package-lock.json
$(web_driver): tests/web/package.json tests/web/package-lock.json | $(setup)
	@mkdir -p $(web_out)/test
	@cp tests/web/package.json tests/web/package-lock.json $(web_out)/test
	@npm ci --prefix $(web_out)/test --ignore-scripts --no-audit --no-fund --silent
web-setup: $(web_driver)
web-test: web $(web_driver)
	@node --test tests/web/
web-bench: web $(web_driver)
	@node tests/bench/web_speed.mjs
