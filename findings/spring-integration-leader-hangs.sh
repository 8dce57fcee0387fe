#!/bin/bash
# Spring Integration's LockRegistryLeaderInitiator on JDBC: a leader whose database does not answer goes on leading beside its successor, without a limit.
#
# spring-integration-jdbc 7.1.2, DefaultLockRepository (10 s), H2 2.4.240 as a server. The leader's connections pass through a forwarder, which is stopped: no packet arrives any more, and no connection breaks, as
# in a partition. The other candidate takes the expired lock. The leader waits in its heartbeat for an answer, and nothing else looks at the time: isLeader() stays true and nobody is told, until the
# driver gives up. The driver has no time limit unless one is set.
set -eu
work=$(mktemp -d)
pids=()
end() {
  for pid in "${pids[@]}"; do kill -9 "$pid" 2> /dev/null || true; done
  wait 2> /dev/null
  rm -rf "$work"
}
trap end EXIT
cd "$work"
cat > pom.xml << 'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>seen</groupId><artifactId>seen</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.springframework.integration</groupId><artifactId>spring-integration-jdbc</artifactId><version>7.1.2</version></dependency>
    <dependency><groupId>com.h2database</groupId><artifactId>h2</artifactId><version>2.4.240</version></dependency>
  </dependencies>
</project>
POM
cat > Forwarder.java << 'JAVA'
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

class Forwarder {
    public static void main(String[] args) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            System.out.println(server.getLocalPort());
            while (true) {
                Socket here = server.accept();
                Socket there = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
                pass(here, there);
                pass(there, here);
            }
        }
    }

    private static void pass(Socket from, Socket to) {
        new Thread(() -> {
            try (from; to) {
                from.getInputStream().transferTo(to.getOutputStream());
            } catch (java.io.IOException closed) {
                // the other direction ends, too
            }
        }).start();
    }
}
JAVA
cat > Candidate.java << 'JAVA'
import org.h2.jdbcx.JdbcDataSource;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

class Candidate {
    public static void main(String[] args) throws Exception {
        JdbcDataSource source = new JdbcDataSource();
        source.setUrl(args[0]);
        DefaultLockRepository repository = new DefaultLockRepository(source);
        repository.setTransactionManager(new DataSourceTransactionManager(source));
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        repository.start();
        LockRegistryLeaderInitiator initiator = new LockRegistryLeaderInitiator(new JdbcLockRegistry(repository), new DefaultCandidate(args[1], "seen") {
            @Override
            public void onGranted(Context context) {
                System.out.println("is granted");
            }

            @Override
            public void onRevoked(Context context) {
                System.out.println("is revoked");
            }
        });
        initiator.start();
        while (true) {
            Thread.sleep(1000);
            System.out.println(initiator.getContext().isLeader() ? "leads" : "follows");
        }
    }
}
JAVA
mvn -B -q dependency:build-classpath -Dmdep.outputFile=classpath
classpath=$(cat classpath):.
javac -cp "$classpath" Forwarder.java Candidate.java
: > listening
java -cp "$classpath" org.h2.tools.Server -tcp -tcpPort 0 -ifNotExists -baseDir "$work" > listening 2>&1 &
pids+=($!)
until grep -q 'tcp://' listening; do sleep 0.1; done
port=$(sed -n 's/.*:\([0-9]*\) (.*/\1/p' listening)
java -cp "$classpath" Forwarder "$port" > forwarding &
forwarder=$!
pids+=("$forwarder")
until [ -s forwarding ]; do sleep 0.1; done
url() { echo "jdbc:h2:tcp://127.0.0.1:$1/./seen;DB_CLOSE_DELAY=-1"; }
java -cp "$classpath" org.h2.tools.Shell -url "$(url "$port")" -sql 'create table int_lock(lock_key char(36), region varchar(100), client_id char(36), created_date timestamp not null,
  expired_after timestamp not null, constraint int_lock_pk primary key (lock_key, region))' > tables # as in the library's schema-h2.sql
candidate() {
  : > "$1.log"
  java -cp "$classpath" Candidate "$(url "$2")" "$1" > "$1.log" 2> "$1.errors" &
  pids+=($!)
}
candidate one "$(cat forwarding)"
until grep -q leads one.log; do sleep 0.2; done
candidate other "$port"
sleep 15
before=$(tail -1 one.log)/$(tail -1 other.log)
kill -STOP "$forwarder"
for _ in $(seq 300); do grep -q leads other.log && break; sleep 0.2; done
sleep 120
during=$(tail -1 one.log)/$(tail -1 other.log)
revoked=$(grep -c 'is revoked' one.log) || true
echo "before the partition (one/other): $before; 120 s after the other one has taken the lock: $during, revoked $revoked times"
[ "$before" = leads/follows ] && [ "$during" = leads/leads ] && [ "$revoked" = 0 ] && echo 'as described'
