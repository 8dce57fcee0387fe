#!/bin/bash
# ShedLock on an H2 server, usingDbTime, two processes with different time zones: both hold the lock.
#
# shedlock-provider-jdbc-template 7.6.0, H2 2.4.240. The lock's end is written as CURRENT_TIMESTAMP(3) into a TIMESTAMP without a zone. H2 takes the zone of each session from its
# client, by default that of the JVM. So "the database's time" is the local time of whoever asks: a process further east sees a lock that ended hours ago.
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
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.TimeZone;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.h2.jdbcx.JdbcDataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** Takes the lock for an hour and never gives it back. */
class Seen {
    public static void main(String[] args) {
        JdbcDataSource source = new JdbcDataSource();
        source.setUrl(args[0]);
        JdbcTemplate template = new JdbcTemplate(source);
        template.execute("create table if not exists shedlock(name varchar(64) primary key, lock_until timestamp(3) not null,"
                + " locked_at timestamp(3) not null, locked_by varchar(255) not null)");
        JdbcTemplateLockProvider provider = new JdbcTemplateLockProvider(
                JdbcTemplateLockProvider.Configuration.builder().withJdbcTemplate(template).usingDbTime().build());
        Optional<SimpleLock> lock = provider.lock(new LockConfiguration(Instant.now(), "nightly", Duration.ofHours(1), Duration.ZERO));
        System.out.println(TimeZone.getDefault().getID() + ": " + (lock.isPresent() ? "holds the lock for an hour" : "does not get the lock"));
    }
}
JAVA
mvn -B -q dependency:build-classpath -Dmdep.outputFile=classpath
: > listening
java -cp "$(cat classpath)" org.h2.tools.Server -tcp -tcpPort 0 -ifNotExists -baseDir "$work" > listening 2>&1 &
server=$!
until grep -q 'tcp://' listening; do sleep 0.1; done
port=$(sed -n 's/.*:\([0-9]*\) (.*/\1/p' listening)
javac -cp "$(cat classpath)" Seen.java
take() { java "-Duser.timezone=$1" -cp "$(cat classpath):." Seen "jdbc:h2:tcp://127.0.0.1:$port/./seen;DB_CLOSE_DELAY=-1" 2> errors || { cat errors; exit 1; }; }
take America/New_York | tee first
take America/New_York | tee same
take Europe/Berlin | tee other
grep -q 'holds' first && grep -q 'does not' same && grep -q 'holds' other && echo 'as described'
