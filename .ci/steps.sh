# Functions for .ci/run and .ci/full. Source this file from a bash script in the root of the repository.

logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

# step NAME LIMIT COMMAND…
# Runs the command with a time limit (such as 5m) and prints the result and its times. Processes that the command does
# not wait for, such as servers, are not in its processor time. Counts the tests of the command if it prints
# a summary of Jest or "N passed, N failed", otherwise counts one. The counts are kept in a file, because steps run
# in parallel.
step() {
  local name=$1 limit=$2 log passed failed
  shift 2
  log="$logs/${name//[^a-zA-Z0-9]/-}.log"
  printf '\n== %s\n' "$name"
  local started=$SECONDS status=0 TIMEFORMAT='%0U %0S' user system
  { time timeout --kill-after=20s "$limit" "$@" </dev/null >"$log" 2>&1; } 2>"$log.times" || status=$?
  read -r user system < <(tail -n 1 "$log.times")
  passed=$(sed -nE 's/^Tests:.* ([0-9]+) passed.*/\1/p; s/^([0-9]+) passed, [0-9]+ failed$/\1/p' "$log" | tail -n 1)
  failed=$(sed -nE 's/^Tests: +([0-9]+) failed.*/\1/p; s/^[0-9]+ passed, ([1-9][0-9]*) failed$/\1/p' "$log" | tail -n 1)
  if [ "$status" -eq 0 ]; then
    echo "${passed:-1} 0" >>"$logs/counts"
    printf 'ok in %ss, %ss of processor time%s\n' "$((SECONDS - started))" "$((user + system))" "${passed:+, $passed tests}"
    grep -hE '^(met |MISS|skipped: )' "$log" || true
  else
    echo "${passed:-0} ${failed:-1}" >>"$logs/counts"
    # The end of a long log may not have them.
    grep -aE -A 12 '^FAIL' "$log" | head -n 100 || true
    tail -n 150 "$log"
    case $status in
      124 | 137) printf 'FAILED: time limit of %s exceeded' "$limit" ;;
      *) printf 'FAILED: exit code %s' "$status" ;;
    esac
    printf ' (after %ss)\n' "$((SECONDS - started))"
  fi
}

# skip NAME REASON: reports a step that cannot run here. It counts neither as passed nor as failed.
skip() {
  printf '\n== %s\nskipped: %s\n' "$1" "$2"
}

# Prints the totals. Fails if a step failed.
finish() {
  awk '{ passed += $1; failed += $2 } END { printf "\n%d passed, %d failed\n", passed, failed; exit failed > 0 }' "$logs/counts"
}

# beside NAME LIMIT COMMAND…: a step that runs in parallel with three others, as many steps wait for time limits, killed
# processes and browsers. Prints the output when the step is done. Start long steps first.
beside() {
  while [ "$(jobs -rp | wc -l)" -ge 4 ]; do wait -n || true; done
  {
    output=$(step "$@" 2>&1)
    printf '%s\n' "$output"
  } &
}

on_node() {
  local version=$1
  shift
  npm exec --yes --package="node@$version" -- node "$@"
}

# Installs the Debian packages of the wider suites: a browser and the servers that the suites start themselves.
install_servers() {
  local missing=() sudo=()
  [ -x "${CHROMIUM:-/usr/bin/chromium}" ] || missing+=(chromium)
  [ -x /usr/bin/nats-server ] || [ -x /usr/sbin/nats-server ] || missing+=(nats-server)
  [ -x /usr/sbin/pgbouncer ] || missing+=(pgbouncer)
  [ -x /usr/lib/postgresql/15/bin/pg_basebackup ] || missing+=(postgresql-15)
  [ "$(id -u)" -eq 0 ] || sudo=(sudo)
  local install=("${sudo[@]}" apt-get install --yes --no-install-recommends)
  local shell=/usr/bin/chromium-headless-shell
  [ ${#missing[@]} -eq 0 ] && { [ -x "$shell" ] || [ -n "${CHROMIUM:-}" ]; } && return
  "${sudo[@]}" apt-get update
  [ ${#missing[@]} -eq 0 ] || "${install[@]}" "${missing[@]}" || return
  # The panel tests are faster with it. Not every distribution has it.
  [ -n "${CHROMIUM:-}" ] || [ -x "$shell" ] || "${install[@]}" chromium-headless-shell || true
}
export -f on_node install_servers
