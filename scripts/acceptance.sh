# acceptance.sh: read by accept-*. A folder of its own, a ledger behind a fence, live candidates in it, claims about them, and their end.
# Wants ./incumbent, sqlite3 and python3, and nothing else.
# shellcheck shell=bash
set -u
cd "${BASH_SOURCE[0]%/*}/.." || exit 70
incumbent=./incumbent # which build the functions below run
work=$(mktemp -d)
ledger=$work/ledger.db
sink=sqlite:$ledger
export INCUMBENT_AT=file:$work/coordinator.db XDG_STATE_HOME=$work/pauses
declare -A pid=()
passed=0 failed=0
trap 'end_all; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

claim() {
  local sentence=$1
  shift
  : > "$work/asked"
  if "$@"; then
    passed=$((passed + 1))
    echo "ok      $sentence"
  else
    failed=$((failed + 1))
    echo "NOT SO  $sentence"
    tail -20 "$work/asked" | sed 's/^/        | /'
  fi
}

conclude() {
  end_all
  claim 'at the end no process is left' nothing_runs
  echo "$passed passed, $failed failed"
  [[ $failed = 0 ]]
}

# verb CODE ARGUMENT…: what incumbent prints is in out and err of the folder; true if that was its exit code.
verb() {
  local expected=$1 code
  shift
  "$incumbent" "$@" > "$work/out" 2> "$work/err" < /dev/null
  code=$?
  { echo "incumbent $* -> $code"; cat "$work/out" "$work/err"; } >> "$work/asked"
  [[ $code = "$expected" ]] || { echo "expected exit code $expected" >> "$work/asked" && false; }
}

says() { grep -qE -- "$1" "$work/out" || { echo "no '$1' on standard output" >> "$work/asked" && false; }; }
tells() { grep -qE -- "$1" "$work/err" || { echo "no '$1' on standard error" >> "$work/asked" && false; }; }

# doctored ARGUMENT…: doctor finds nothing there, but for the load of this machine and the pauses that a script has made itself.
doctored() {
  XDG_STATE_HOME=$work/unpaused "$incumbent" doctor "$@" -o json > "$work/out" 2> "$work/err" < /dev/null
  cat "$work/out" "$work/err" >> "$work/asked"
  holds 'all(c["kind"] != "finding" or c["check"] == "load" for c in it["checks"])'
}

# json CODE EXPRESSION ARGUMENT…: the same verb in JSON, which is well formed, and of which the Python expression over `it` is true.
json() {
  local code=$1 expression=$2
  shift 2
  verb "$code" "$@" -o json && python3 -m json.tool < "$work/out" > /dev/null 2>> "$work/asked" && holds "$expression"
}

holds() {
  python3 -c 'import json, sys; it = json.load(open(sys.argv[1])); sys.exit(not eval(sys.argv[2]))' "$work/out" "$1" 2>> "$work/asked" ||
    { echo "not so: $1" >> "$work/asked" && false; }
}

# got EXPRESSION: of what the last verb printed in JSON.
got() { python3 -c 'import json, sys; print(eval(sys.argv[2], {"it": json.load(open(sys.argv[1]))}))' "$work/out" "$1"; }

# within SECONDS COMMAND…: asks each 50 ms until it is so.
within() {
  local end=$(($(now_ms) + $1 * 1000))
  shift
  until "$@"; do
    (($(now_ms) < end)) || { echo "not in time: $*" >> "$work/asked" && return 1; }
    sleep 0.05
  done
}

now_ms() { echo $(($(date +%s%N) / 1000000)); }

# live NAME[.MORE] ARGUMENT…: `incumbent run ARGUMENT…` in the background, as a candidate of that name.
live() {
  local name=$1
  shift
  "$incumbent" run --name "${name%%.*}" "$@" > "$work/$name.out" 2> "$work/$name.err" < /dev/null &
  pid[$name]=$!
}

# ended CODE NAME: that candidate ends by itself, with that code.
ended() {
  within 30 gone "${pid[$2]}" || return 1
  wait "${pid[$2]}"
  local code=$?
  unset "pid[$2]"
  echo "$2 ended with $code: $(tail -2 "$work/$2.err")" >> "$work/asked"
  [[ $code = "$1" ]]
}

gone() { [[ ! -e /proc/$1 || $(sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2> /dev/null) = [ZX]* ]]; }

end_all() {
  ((${#pid[@]} > 0)) || return 0
  kill -CONT "${pid[@]}" 2> /dev/null
  kill -TERM "${pid[@]}" 2> /dev/null
  within 10 nothing_runs || kill -KILL "${pid[@]}" 2> /dev/null
  wait "${pid[@]}" 2> /dev/null
  pid=()
}

# Whose environment bears this folder's coordinator: all that was started here, and its descendants.
running() { env -u INCUMBENT_AT grep -lsz "^INCUMBENT_AT=$INCUMBENT_AT" /proc/[0-9]*/environ; }
nothing_runs() { [[ -z $(running) ]]; }

# The commands that run under a leadership now, without their supervisors.
acting() {
  local environment
  for environment in $(running | xargs -r env -u INCUMBENT_AT grep -lsz '^INCUMBENT_TOKEN='); do
    [[ $(readlink "${environment%environ}exe") = */supervisor ]] || echo "$environment"
  done
}
nobody_acts() { [[ -z $(acting) ]]; }
one_acts() { [[ $(acting | wc -l) = 1 ]]; }
