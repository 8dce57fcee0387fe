#!/bin/bash
# Two MariaDB servers with one tmpdir: the one that starts removes the temporary tables of the one that runs.
#
# MariaDB 10.11.18 (Debian 12). At its start, a server removes every file that begins with #sql from its tmpdir, without asking whose it is. tmpdir is /tmp by default, for
# all servers of a host. The running server tells nothing. Its session still reads a temporary table that it has open; whatever opens the table's file anew fails.
# So a test or a maintenance script that starts a second server on a host breaks the first one's ALTER TABLE, its sorted imports, and mariadb-install-db.
set -eu
version=1:10.11.18-0+deb12u1
work=$(mktemp -d)
servers=()
end() {
  for pid in "${servers[@]}"; do kill -9 "$pid" 2> /dev/null || true; done
  wait
  rm -rf "$work"
}
trap end EXIT
mkdir "$work"/{deb,root,shared,a}
chmod 755 "$work" && chmod 777 "$work/deb" # apt downloads as a user of its own
(cd "$work/deb" && apt-get download -q "mariadb-server-core=$version" "mariadb-client-core=$version" "mariadb-server=$version" > /dev/null)
for package in "$work"/deb/*.deb; do dpkg -x "$package" "$work/root"; done
root=$work/root/usr
flags=(--no-defaults "--lc-messages-dir=$root/share/mysql" "--user=$(id -un)")
"$root/bin/mariadb-install-db" "${flags[@]}" "--basedir=$root" "--datadir=$work/a" --auth-root-authentication-method=normal > "$work/install.log" 2>&1
cp -r "$work/a" "$work/b"

ask() { "$root/bin/mariadb" --no-defaults -uroot -S "$work/$1.sock" -Ne "$2" 2>&1; }

start() {
  "$root/sbin/mariadbd" "${flags[@]}" "--datadir=$work/$1" "--tmpdir=$work/shared" "--socket=$work/$1.sock" "--pid-file=$work/$1.pid" --skip-networking > "$work/$1.log" 2>&1 3>&- &
  servers+=($!)
  for _ in $(seq 100); do ask "$1" 'select 1' > /dev/null && return; sleep 0.1; done
  cat "$work/$1.log"
  return 1
}

temporary() { find "$work/shared" -name '#sql*' | wc -l; }

start a
mkfifo "$work/lines"
"$root/bin/mariadb" --no-defaults -uroot -S "$work/a.sock" -fN test < "$work/lines" > "$work/session" 2>&1 &
session=$!
exec 3> "$work/lines"
echo 'create temporary table t(i int) engine=aria; insert into t values (1), (2); select count(*) from t;' >&3
for _ in $(seq 50); do [[ $(cat "$work/session") == 2 ]] && break; sleep 0.1; done
before=$(temporary)
start b
after=$(temporary)
echo 'select count(*) from t; alter table t add column j int; select count(*) from t;' >&3
exec 3>&-
wait "$session" || true
echo "$(ask a 'select version()')"
echo "files of temporary tables before the second server's start: $before, after it: $after"
echo 'what the session of the first server says (rows before; rows after; alter; rows):'
cat "$work/session"
[[ $before -gt 0 && $after = 0 ]] && grep -q ERROR "$work/session" && echo 'as described'
