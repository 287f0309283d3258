# What the scripts here have in common: they source this.

# They read /proc, and call programs that not every system has.
[ "$(uname -s)" = Linux ] || { echo 'this script needs Linux' >&2; exit 1; }

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# machine_folder: where the pages of this machine go, unless somebody says where.
machine_folder() {
  local processor
  processor=$(sed -n '/^model name\s*: /{s///p;q;}' /proc/cpuinfo | tr '[:upper:]' '[:lower:]' | sed -E 's/\((r|tm)\)//g; s/[^a-z0-9]+/-/g; s/^-|-$//g')
  echo "$root/docs/benchmarks/${processor:-$(uname -m)}-$(nproc)-cores"
}
