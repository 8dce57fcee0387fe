#!/bin/bash
# MariaDB with innodb_snapshot_isolation: one INSERT ... SELECT in autocommit, at READ COMMITTED, fails with 1020 where its key was taken while it ran. Without the setting it is 1062, duplicate key.
#
# MariaDB 10.11.18 (Debian 12); the setting is ON by default from 11.8 on. There is no transaction that could have read before: the statement itself opens the snapshot when it reads the other table,
# and the row that takes its key is newer. So a client that inserts and handles the duplicate meets an error that says "try restarting transaction". At REPEATABLE
# READ the same statement locks what it reads, opens no snapshot, and gets 1062.
set -eu
version=1:10.11.18-0+deb12u1
work=$(mktemp -d)
server=''
end() {
  [[ -z $server ]] || kill -9 "$server" 2> /dev/null || true
  wait
  rm -rf "$work"
}
trap end EXIT
mkdir "$work"/{deb,root,tmp}
chmod 755 "$work" && chmod 777 "$work/deb" # apt downloads as a user of its own
(cd "$work/deb" && apt-get download -q "mariadb-server-core=$version" "mariadb-client-core=$version" "mariadb-server=$version" > /dev/null)
for package in "$work"/deb/*.deb; do dpkg -x "$package" "$work/root"; done
root=$work/root/usr
flags=(--no-defaults "--lc-messages-dir=$root/share/mysql" "--user=$(id -un)" "--tmpdir=$work/tmp")
"$root/bin/mariadb-install-db" "${flags[@]}" "--basedir=$root" "--datadir=$work/data" --auth-root-authentication-method=normal > "$work/install.log" 2>&1

ask() { "$root/bin/mariadb" --no-defaults -uroot -S "$work/sock" -Ne "$1" test 2>&1; }

"$root/sbin/mariadbd" "${flags[@]}" "--datadir=$work/data" "--socket=$work/sock" "--pid-file=$work/pid" --skip-networking > "$work/log" 2>&1 &
server=$!
for _ in $(seq 100); do ask 'select 1' > /dev/null && break; sleep 0.1; done
ask 'create table source(i int primary key) engine=innodb; insert into source values (1); create table target(i int primary key) engine=innodb'

# The insert looks at the source, and sleeps before it writes; meanwhile somebody else takes the key, and commits.
insert() { # SETTING LEVEL
  ask 'delete from target'
  ask "set innodb_snapshot_isolation=$1; set session transaction isolation level $2; insert into target select i from source where sleep(2) = 0" > "$work/told" &
  local writer=$!
  for _ in $(seq 100); do [[ $(ask "select count(*) from information_schema.processlist where state = 'User sleep'") = 1 ]] && break; sleep 0.05; done
  ask 'insert into target values (1)'
  wait "$writer" || true
  echo "innodb_snapshot_isolation=$1, $2: $(cat "$work/told")"
}
ask 'select version()'
insert OFF 'read committed' | tee "$work/off"
insert ON 'read committed' | tee "$work/on"
insert ON 'repeatable read' | tee "$work/repeatable"
grep -q 'ERROR 1062' "$work/off" && grep -q 'ERROR 1020' "$work/on" && grep -q 'ERROR 1062' "$work/repeatable" && echo 'as described'
