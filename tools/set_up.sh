#!/bin/sh
# Find a Python that can build the environment, and build it: sh tools/set_up.sh lab|dev|bench
# The variable PYTHON names one; else the first that is new enough and can make environments is taken.

try() {
    if "$1" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        exec "$1" tools/set_up.py "$kind"
    fi
}

kind=$1
# Messages may be Chinese even where LANG names a locale that is not installed.
export PYTHONUTF8=1
if [ -n "${PYTHON:-}" ]; then
    try "$PYTHON"
else
    for python in python3 python3.14 python3.13 python3.12 python3.11 python; do
        try "$python"
    done
fi

cat >&2 <<'END'
Rankwalk needs Python 3.11 or newer, with venv, and found none.
  Debian, Ubuntu: apt install python3-venv      macOS: brew install python
  Another one can be named:                     make lab PYTHON=/path/to/python3
需要 Python 3.11 或更新的版本（含 venv），但没有找到。
  Debian、Ubuntu：apt install python3-venv      macOS：brew install python
  也可以指定另一个：                            make lab PYTHON=/path/to/python3
END
exit 1
