#!/bin/bash
# ShedLock, two processes on one host: the one whose lock has expired extends and releases the lock of the one that has taken it.
#
# shedlock-provider-jdbc-template 7.6.0, H2 2.4.240 as a server. The row says who holds the lock: the host's name, unless withLockedByValue tells another. Extending and releasing ask for that name and the lock's. So
# a process that was late or paused extends, with success, a lock that another process of its host holds by now; both then go on. When it ends, it frees that lock, and a third one begins.
set -eu
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
cd "$work"
cat > pom.xml << 'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>seen</groupId><artifactId>seen</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>net.javacrumbs.shedlock</groupId><artifactId>shedlock-provider-jdbc-template</artifactId><version>7.6.0</version></dependency>
    <dependency><groupId>com.h2database</groupId><artifactId>h2</artifactId><version>2.4.240</version></dependency>
  </dependencies>
</project>
POM
cat > Seen.java << 'JAVA'
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.h2.jdbcx.JdbcDataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** A process that takes, extends and releases the lock as its input tells it. */
class Seen {
    public static void main(String[] args) throws Exception {
        JdbcDataSource source = new JdbcDataSource();
        source.setUrl(args[0]);
        JdbcTemplate template = new JdbcTemplate(source);
        template.execute("create table if not exists shedlock(name varchar(64) primary key, lock_until timestamp(3) not null,"
                + " locked_at timestamp(3) not null, locked_by varchar(255) not null)");
        JdbcTemplateLockProvider provider = new JdbcTemplateLockProvider(
                JdbcTemplateLockProvider.Configuration.builder().withJdbcTemplate(template).usingDbTime().build());
        Optional<SimpleLock> lock = Optional.empty();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            if (line.startsWith("lock ")) {
                Duration atMost = Duration.ofSeconds(Integer.parseInt(line.substring(5)));
                lock = provider.lock(new LockConfiguration(Instant.now(), "nightly", atMost, Duration.ZERO));
                System.out.println(line + ": " + lock.isPresent());
            } else if (line.equals("extend")) {
                lock = lock.orElseThrow().extend(Duration.ofHours(1), Duration.ZERO);
                System.out.println(line + ": " + lock.isPresent());
            } else {
                lock.orElseThrow().unlock();
                System.out.println(line + ": done");
            }
        }
    }
}
JAVA
mvn -B -q dependency:build-classpath -Dmdep.outputFile=classpath
classpath=$(cat classpath):.
javac -cp "$classpath" Seen.java
: > listening
java -cp "$classpath" org.h2.tools.Server -tcp -tcpPort 0 -ifNotExists -baseDir "$work" > listening 2>&1 &
server=$!
until grep -q 'tcp://' listening; do sleep 0.1; done
url="jdbc:h2:tcp://127.0.0.1:$(sed -n 's/.*:\([0-9]*\) (.*/\1/p' listening)/./seen;DB_CLOSE_DELAY=-1"
processes=()
for process in late other third; do
  mkfifo "$process.in"
  : > "$process.out"
  java -cp "$classpath" Seen "$url" < "$process.in" > "$process.out" 2> "$process.errors" &
  processes+=($!)
done
exec 3> late.in 4> other.in 5> third.in
tell() { # PROCESS FD LINE
  local before
  before=$(wc -l < "$1.out")
  echo "$3" >&"$2"
  for _ in $(seq 300); do
    [ "$(wc -l < "$1.out")" -gt "$before" ] && { echo "$1: $(tail -1 "$1.out")" | tee -a seen; return; }
    sleep 0.1
  done
  cat "$1.errors"
  return 1
}
tell late 3 'lock 10'
tell other 4 'lock 3600'
sleep 11
tell other 4 'lock 3600'
tell late 3 extend
tell third 5 'lock 3600'
tell late 3 unlock
tell third 5 'lock 3600'
exec 3>&- 4>&- 5>&-
wait "${processes[@]}"
cat > expected << 'EXPECTED'
late: lock 10: true
other: lock 3600: false
other: lock 3600: true
late: extend: true
third: lock 3600: false
late: unlock: done
third: lock 3600: true
EXPECTED
cmp seen expected && echo 'as described'
