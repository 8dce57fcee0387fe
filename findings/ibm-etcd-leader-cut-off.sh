#!/bin/bash
# IBM's etcd-java, EtcdLeaderElection: a leader that is cut off from etcd goes on leading, although its own client says that its lease has expired.
#
# com.ibm.etcd:etcd-java 0.0.24, etcd 3.4.23 (Debian 12), a session of 20 s, the default. The leader's connection passes through a forwarder, which is stopped, as in a partition. Etcd ends the lease, and the
# other candidate leads. The first one's election only looks at what its watch tells, and a watch that is cut off tells nothing. The state of the session's lease is there to be asked, and is
# EXPIRED; the election does not ask.
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
mkdir deb root && chmod 755 . && chmod 777 deb # apt downloads as a user of its own
(cd deb && apt-get download -q etcd-server=3.4.23-4+b4 > /dev/null)
dpkg -x deb/*.deb root
port=$((20000 + RANDOM % 10000))
root/usr/bin/etcd --data-dir data --name seen --listen-client-urls "http://127.0.0.1:$port" --advertise-client-urls "http://127.0.0.1:$port" \
  --listen-peer-urls "http://127.0.0.1:$((port + 1))" --initial-advertise-peer-urls "http://127.0.0.1:$((port + 1))" --initial-cluster "seen=http://127.0.0.1:$((port + 1))" > etcd.log 2>&1 &
pids+=($!)
cat > pom.xml << 'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>seen</groupId><artifactId>seen</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>com.ibm.etcd</groupId><artifactId>etcd-java</artifactId><version>0.0.24</version></dependency>
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
import com.google.protobuf.ByteString;
import com.ibm.etcd.client.EtcdClient;
import com.ibm.etcd.client.utils.EtcdLeaderElection;

class Candidate {
    public static void main(String[] args) throws Exception {
        EtcdClient client = EtcdClient.forEndpoint("127.0.0.1", Integer.parseInt(args[0])).withPlainText().build();
        EtcdLeaderElection election = new EtcdLeaderElection(client, ByteString.copyFromUtf8("/seen/"), args[1]);
        election.addListener(leads -> System.out.println("is told: " + (leads ? "leads" : "no longer leads")));
        election.start();
        while (true) {
            Thread.sleep(1000);
            System.out.println((election.isLeader() ? "leads" : "follows") + ", lease " + client.getSessionLease().getState());
        }
    }
}
JAVA
mvn -B -q dependency:build-classpath -Dmdep.outputFile=classpath
classpath=$(cat classpath):.
javac -cp "$classpath" Forwarder.java Candidate.java
java -cp "$classpath" Forwarder "$port" > forwarding &
forwarder=$!
pids+=("$forwarder")
until [ -s forwarding ]; do sleep 0.1; done
candidate() {
  : > "$1.log"
  java -cp "$classpath" Candidate "$2" "$1" > "$1.log" 2> "$1.errors" &
  pids+=($!)
}
candidate one "$(cat forwarding)"
until grep -q '^leads' one.log; do sleep 0.2; done
candidate other "$port"
until grep -q '^follows, lease ACTIVE' other.log; do sleep 0.2; done
kill -STOP "$forwarder"
for _ in $(seq 600); do grep -q '^leads' other.log && break; sleep 0.1; done
sleep 60
echo "60 s after the other one leads: one $(tail -1 one.log); other $(tail -1 other.log); told one: $(grep -c 'no longer' one.log || true) times"
[ "$(tail -1 one.log)" = 'leads, lease EXPIRED' ] && [ "$(tail -1 other.log)" = 'leads, lease ACTIVE' ] && ! grep -q 'no longer' one.log && echo 'as described'
