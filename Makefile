# Everything that one does with Rankwalk. `make` alone lists it.
#
# Paths are relative throughout: make cannot handle a space in a path, and a clone may have one.

.DEFAULT_GOAL := help
.PHONY: help lab test check dev lessons bench screenshot handout lock clean check-js

# The lessons' language, en or zh; that of the terminal unless it is given.
LESSONS ?=
# More options for JupyterLab (make lab) or pytest (make test), such as ARGS=--no-browser.
ARGS ?=

# Builds what a target needs from the hashed locks, or sees that it is there. PYTHON=… names a Python.
set_up = @sh tools/set_up.sh
PYTHON_HERE = .venv/bin/python

help: ## list these targets ## 列出这些目标
	@case "$${LC_ALL:-$${LC_MESSAGES:-$$LANG}}" in [zZ][hH]*) words=3 ;; *) words=2 ;; esac; \
	grep -E '^[a-z-]+:.* ## .* ## ' Makefile | awk -F ' ## ' -v words="$$words" \
	'{ sub(/:.*/, "", $$1); printf "  make %-11s %s\n", $$1, $$words }'

# UTF-8 also where LANG names a locale that is not installed, as in many a container.
lab dev: export PYTHONUTF8 = 1

lab: ## open JupyterLab at lesson 1 (LESSONS=zh or en; else the language of the terminal) ## 打开 JupyterLab 的第 1 课（语言随终端，也可用 LESSONS=zh 或 en 指定）
	$(set_up) lab
	@$(PYTHON_HERE) tools/start_lab.py $(if $(LESSONS),--lessons $(LESSONS)) -- $(ARGS)

# The notebooks run on their own: nbval and coverage get into each other's way. They go first, so that
# what was skipped, and the coverage, stand at the end. A failure in one part does not hide one in the other.
test: check ## run everything: style, types, unit tests, a real browser, every notebook ## 运行全部检查：风格、类型、单元测试、真实浏览器、每个笔记本
	@failed=0; \
	$(PYTHON_HERE) -m pytest --nbval --nbval-current-env --nbval-cell-timeout=120 notebooks || failed=1; \
	$(PYTHON_HERE) -m pytest --cov --cov-report=term $(ARGS) || failed=1; \
	exit $$failed

check: ## check style and types, also those of the JavaScript ## 检查风格与类型，JavaScript 的类型也在内
	$(set_up) dev
	@$(PYTHON_HERE) -m ruff format --check .
	@$(PYTHON_HERE) -m ruff check .
	@$(PYTHON_HERE) -m mypy
	@$(MAKE) --no-print-directory --silent check-js

# Learners need no Node; whoever changes a widget does, and CI always has it.
check-js:
	@if command -v npm >/dev/null; then $(MAKE) --silent node_modules/.package-lock.json \
		&& npx --no-install tsc --project .; \
	elif test -n "$$CI"; then echo 'npm is missing: the types of the JavaScript cannot be checked' >&2; exit 1; \
	else echo '*** SKIPPED: the types of the JavaScript are not checked, since there is no npm here (install Node 20 or newer) ***'; fi

node_modules/.package-lock.json: package-lock.json
	@npm ci --no-audit --no-fund
	@touch $@

dev: ## like make lab, and a widget is reloaded while its files are edited ## 与 make lab 相同，并在编辑组件文件时自动重新载入
	$(set_up) dev
	@$(PYTHON_HERE) tools/start_lab.py --reload-widgets $(if $(LESSONS),--lessons $(LESSONS)) -- $(ARGS)

lessons: ## build notebooks/ from lessons/ ## 由 lessons/ 生成 notebooks/
	$(set_up) dev
	@$(PYTHON_HERE) tools/build_lessons.py

bench: ## measure the speed, beside other ways and other libraries ## 测量速度，与其他做法和其他库对照
	$(set_up) bench
	@.venv-bench/bin/python benchmarks/run.py

screenshot: ## take the picture in the README ## 拍摄 README 里的图
	$(set_up) dev
	@$(PYTHON_HERE) tools/take_screenshot.py docs/player.png

handout: ## print the lessons as pages for paper, into handout/ ## 把各课生成可打印的讲义，放进 handout/
	$(set_up) dev
	@$(PYTHON_HERE) tools/print_handout.py

# Pins that still fit are kept; UPGRADE=--upgrade takes the newest of everything.
LOCK = $(PYTHON_HERE) -m uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--custom-compile-command 'make lock' $(UPGRADE)

lock: ## bring the locks up to pyproject.toml (UPGRADE=--upgrade: to the newest releases) ## 让锁定文件与 pyproject.toml 一致（UPGRADE=--upgrade 则更新到最新版本）
	@test -x $(PYTHON_HERE) || sh tools/set_up.sh lab
	@$(LOCK) --group pyproject.toml:tool -o requirements-uv.txt
	@$(LOCK) pyproject.toml --extra lab --group build -o requirements.txt
	@$(LOCK) pyproject.toml --extra lab --group build --group dev -c requirements.txt -o requirements-dev.txt
	@$(LOCK) pyproject.toml --extra lab --group build --group bench -c requirements.txt -o requirements-bench.txt
	@if command -v npm >/dev/null; then npm install --package-lock-only --no-audit --no-fund; fi

clean: ## remove what make has made, and nothing of yours ## 删除 make 生成的东西，不动你自己的文件
	rm -rf .venv .venv-bench node_modules dist build .pytest_cache .mypy_cache .ruff_cache .coverage .hypothesis
