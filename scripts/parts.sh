# Sourced by ./test (bash): runs the parts of a test, tells how far each is, and what came of all.
# A part NAME is a function part_NAME, which sets p, f, s and u (passed, failed, skipped, unjudged) and writes to $log; about NAME says what it is.
# What came of it lies in $results/NAME (`p f s u seconds`) and $results/NAME.broken, so that parts may run in another process, or another day.

logs=$PWD/target/test-logs
results=$logs/results
last_times=${XDG_CACHE_HOME:-$HOME/.cache}/incumbent/test-times # NAME SECONDS STEPS, outlives a clone
MOST_TOLD=3

# What counts as a step of a part, wherever it stands in its log: a class of tests, a claim, a configuration of the model, a planted bug, ten seconds of worlds.
STEP='Tests run:.*Time elapsed|^ok |^NOT SO |^(passed|FAILED)	| found in seed | worlds after '

# run NAME: runs that part, and says so at its begin, while it lasts and at its end.
run() {
  local name=$1 began=$SECONDS log=$logs/$1.log p=0 f=0 s=0 u=0 absent='' took telling
  : > "$log" && rm -f "$results/$name" "$results/$name.broken" "$log.tally"
  echo "== $name: $(about "$name")$(last_time "$name")"
  tell_progress "$name" "$began" & telling=$!
  "part_$name" < /dev/null
  kill "$telling" 2> /dev/null && wait "$telling" 2> /dev/null
  took=$((SECONDS - began))
  if ((p + f == 0)) && [[ -z $absent ]]; then
    echo 'no test ran' >> "$log"
    f=1
  fi
  echo "$p $f $s $u $took" > "$results/$name"
  ((f == 0)) && remember "$name" "$took"
  broken_lines "$name" > "$results/$name.broken"
  echo "   $name: $(outcome "$p" "$f" "$s" "$u"), $took s"
  [[ ! -e $log.tally ]] || grep -E '^(LATE|UNJUDGED)' "$log.tally" | sed 's/^/   /'
  ((f == 0)) || sed 's/^/   | /' "$results/$name.broken"
}

outcome() {
  printf '%s passed' "$1"
  (($2 == 0)) || printf ', %s FAILED' "$2"
  (($3 == 0)) || printf ', %s skipped' "$3"
  (($4 == 0)) || printf ', %s unjudged: the machine was too slow' "$4"
}

last_time() { awk -v name="$1" '$1 == name { printf " (%s s last time)", $2 }' "$last_times" 2> /dev/null; }

steps() { grep -cE "$STEP" "$logs/$1.log" 2> /dev/null; }

# Once every half minute; at a terminal every two seconds, in place.
tell_progress() {
  local pause=30 before='' after='\n' most
  [[ ! -t 1 ]] || pause=2 before='\r' after='\e[K'
  most=$(awk -v name="$1" '$1 == name { print " of about " $3 }' "$last_times" 2> /dev/null)
  while sleep "$pause"; do printf "$before   %s: %s s, %s%s steps$after" "$1" $((SECONDS - $2)) "$(steps "$1")" "$most"; done
}

remember() {
  mkdir -p "${last_times%/*}" 2> /dev/null &&
    { grep -v "^$1 " "$last_times" 2> /dev/null; echo "$1 $2 $(steps "$1")"; } > "$last_times.$$" && mv "$last_times.$$" "$last_times"
}

# What failed, its first reason, and the command that runs it alone: three lines for each.
broken_lines() {
  local log=$logs/$1.log
  ((f > 0)) || return 0
  if [[ -e $log.tally ]] && grep -q '^FAILED' "$log.tally"; then
    awk '/^FAILED/ { print; why = 1; next } why && /^     / { print substr($0, 1, 300); why = 0 } /^ALONE/ { sub(/^ALONE /, "     "); print }' "$log.tally"
  elif grep -qE '^(NOT SO|FAILED)' "$log"; then
    awk -v command="./test part $1" '/^(NOT SO|FAILED)/ { if (held) print "     " command; print substr($0, 1, 300); held = 1; why = 1; next }
      why && /^ *\| / { print substr($0, 1, 300); why = 0 } END { if (held) print "     " command }' "$log"
  else
    echo "FAILED $1: $(grep -E '^\[ERROR\] |no test ran' "$log" | head -1 | cut -c 1-300)"
    tail -1 "$log" | cut -c 1-300 | sed 's/^/     /'
    echo "     ./test part $1"
  fi
}

# A command whose exit status is all it says.
one_claim() { if "$@" >> "$log" 2>&1; then p=1; else f=1; fi; }

# A command whose last line is `N passed, N failed`.
claims() {
  local status last
  "$@" >> "$log" 2>&1
  status=$?
  last=$(tail -1 "$log")
  if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed ]]; then p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]}; fi
  ((status == 0 || f > 0)) || f=1
}

# Tests that Maven runs. What came of them is read from the events that JUnit wrote, each part's in a folder of its own.
forget_events() { find . -type d -path "*/target/test-events/$name" -prune -exec rm -rf {} +; }

tally_events() {
  local last
  scripts/tally-tests --part "$name" --adapters > "$log.tally"
  last=$(tail -1 "$log.tally")
  if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped,\ ([0-9]+)\ unjudged ]]; then
    p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]} s=${BASH_REMATCH[3]} u=${BASH_REMATCH[4]}
  fi
  (($1 == 0 || f > 0)) || f=1
}

# In a process group of its own, whose number negated is its job: what shares ours ignores SIGINT there, which tests send.
as_a_job() {
  set -m
  "$@" < /dev/null &
  job=-$!
  set +m
}

# conclude NAME…: the table of these parts, what failed in ten lines, and the line `N passed, N failed`. A part that did not run has failed.
conclude() {
  local name p f s u took passed=0 failed=0
  adapters "$@"
  printf '\n%-14s %8s %8s %8s %8s %8s\n' part passed failed skipped unjudged time
  for name; do
    if [[ -e $results/$name ]]; then
      read -r p f s u took < "$results/$name"
      printf '%-14s %8s %8s %8s %8s %8s\n' "$name" "$p" "$f" "$s" "$u" "$took s"
      passed=$((passed + p)) failed=$((failed + f))
    else
      printf '%-14s %8s\n' "$name" 'not run'
      printf 'FAILED %s\n     it did not run\n     ./test part %s\n' "$name" "$name" > "$results/$name.broken"
      failed=$((failed + 1))
    fi
  done
  printf '%-14s %8s %8s %8s %8s %8s\n\n' all "$passed" "$failed" '' '' "$SECONDS s"
  ((failed == 0)) || tell_broken "$@"
  echo "$passed passed, $failed failed"
  ((failed == 0 && passed > 0))
}

# Every adapter by suite.
adapters() {
  local name
  for name; do
    [[ ! -e $results/$name || ! -e $logs/$name.log.tally ]] || sed -n '/^adapter /,$p' "$logs/$name.log.tally" | sed '1d; $d'
  done | sort -u | sed '1i\\nadapter (passed/failed/skipped)       contract       adverse           own'
}

tell_broken() {
  local name all
  all=$(for name; do cat "$results/$name.broken" 2> /dev/null; done)
  head -$((MOST_TOLD * 3)) <<< "$all"
  (($(wc -l <<< "$all") <= MOST_TOLD * 3)) || echo "and more: $results/*.broken has all"
}
