# What the scripts here have in common: they source this. Each ends a system with one line that begins with "== ".

set -uo pipefail
exec </dev/null
everywhere=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$everywhere/../.." || exit 1

export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 DOTNET_CLI_UI_LANGUAGE=en VSLANG=1033 MSBUILDTERMINALLOGGER=off
unset DOTNET_PROCESSOR_COUNT DOTNET_gcServer DOTNET_GCHeapHardLimit

project=tests/Everywhere.Exercise
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# The exercise checks that it reads these.
settings=(PIXELPOOL_MAX_POOLED_BYTES=512M PIXELPOOL_BLOCK_BYTES=nonsense)

# not_run SYSTEM REASON
not_run() { printf '== %s: NOT RUN: %s\n' "$1" "$2"; }

# broken SYSTEM REASON
broken() {
  printf '== %s: FAILED: %s\n' "$1" "$2"
  failed=1
}

# exercise SYSTEM COMMAND…: runs the program, shows all but what holds, and says how many checks passed.
exercise() {
  local system=$1 result code began=$SECONDS
  shift
  printf '\n-- %s\n' "$system"
  timeout --kill-after=10 600 "$@" >"$work/output" 2>&1
  code=$?
  grep -av '^holds ' "$work/output" | grep -avE '^[0-9]+ passed, [0-9]+ failed\s*$'
  result=$(tr -d '\r' <"$work/output" | grep -aE '^[0-9]+ passed, [0-9]+ failed$' | tail -n 1)
  if [ -z "$result" ]; then
    broken "$system" "it ended with $code, after $(grep -ac '^holds ' "$work/output") checks"
  else
    printf '(%d s)\n== %s: %s\n' $((SECONDS - began)) "$system" "$result"
    [ "$code" = 0 ] || failed=1
  fi
}

# install PACKAGES…: only where the user said so.
install() {
  if [ "${EVERYWHERE_INSTALL:-}" = 1 ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >"$work/apt" 2>&1 ||
      { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"; } >"$work/apt" 2>&1 ||
      tail -n 3 "$work/apt"
  fi
}

# missing PROGRAM PACKAGES…: true when a program is not there, and could not be installed.
missing() {
  command -v "$1" >/dev/null && return 1
  install "${@:2}"
  ! command -v "$1" >/dev/null
}

# build SYSTEM [WAY]: compiles the exercise; $program is what was made. The libraries are those that the solution builds.
build() {
  local way=()
  [ -z "${2:-}" ] || way=("-p:Published=$2")
  restore "$1" "${way[@]}" || return
  if ! dotnet build "$project" -c Release --no-restore "${way[@]}" >"$work/build" 2>&1; then
    cat "$work/build"
    broken "$1" 'it does not build'
    return 1
  fi
  program=$(find "$project/bin/${2:+$2/}Release" -name 'Everywhere.Exercise' -o -name 'Everywhere.Exercise.exe' | head -n 1)
}

# publish SYSTEM WAY: the same, as it is given to users. A warning is an error.
publish() {
  restore "$1" "-p:Published=$2" || return
  program=$project/bin/$2/program/Everywhere.Exercise
  if dotnet publish "$project" -c Release --no-restore "-p:Published=$2" -warnaserror -o "$project/bin/$2/program" >"$work/build" 2>&1; then
    return 0
  elif grep -q 'Platform linker' "$work/build"; then
    not_run "$1" 'there is no linker (clang or gcc)'
  else
    cat "$work/build"
    broken "$1" 'it cannot be published'
  fi
  return 1
}

restore() {
  local system=$1
  shift
  dotnet restore "$project" "$@" >"$work/build" 2>&1 && return
  if grep -qE 'NU1101|NU1102|NU1301' "$work/build"; then
    not_run "$system" "the feed has no $(grep -oE 'NU110[12]: Unable to find (a stable )?package [A-Za-z0-9.-]+' "$work/build" | sed 's/.* //' | sort -u | head -n 1)"
  else
    cat "$work/build"
    broken "$system" 'it cannot be restored'
  fi
  return 1
}

# foreign_root SYSTEM ARCHITECTURE PACKAGES…: packages of another architecture, unpacked in $root, beside those of this machine. Only where the user said so, or has them from before.
foreign_root() {
  local system=$1 architecture=$2 base
  shift 2
  base=${XDG_CACHE_HOME:-$HOME/.cache}/pixelpool-everywhere/$architecture
  root=$base/root
  [ ! -e "$base/complete" ] || return 0
  if [ "${EVERYWHERE_INSTALL:-}" != 1 ]; then
    not_run "$system" "libraries for $architecture are not unpacked (--install does it)"
    return 1
  fi
  rm -rf "$base"
  mkdir -p "$base/lists/partial" "$base/archives/partial" "$root"
  local private=(-o "APT::Architecture=$architecture" -o "APT::Architectures=$architecture" -o "Dir::State::lists=$base/lists" -o "Dir::State::status=/dev/null"
    -o "Dir::Cache=$base" -o "Dir::Cache::archives=$base/archives" -o APT::Sandbox::User=root)
  # A list that cannot be had may be none that is needed.
  apt-get -qq "${private[@]}" update >"$work/apt" 2>&1
  if ! (cd "$base/archives" && apt-get -qq "${private[@]}" download "$@") >>"$work/apt" 2>&1; then
    tail -n 3 "$work/apt"
    not_run "$system" "there are no packages for $architecture"
    return 1
  fi
  for package in "$base"/archives/*.deb; do
    dpkg -x "$package" "$root"
  done
  touch "$base/complete"
}
