#!/bin/bash
# Camel's file lock: nobody succeeds a leader that is frozen, although its heartbeat is stale.
#
# camel-file 4.22.0, FileLockClusterService, two processes on one folder. The leader writes a heartbeat, and followers know after some intervals that it is stale. But the lock is a lock of the operating
# system, and belongs to the process as long as that exists: so a frozen, swapped-out or hanging leader keeps it for ever. Only its end lets another one lead.
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
    <dependency><groupId>org.apache.camel</groupId><artifactId>camel-core</artifactId><version>4.22.0</version></dependency>
    <dependency><groupId>org.apache.camel</groupId><artifactId>camel-file</artifactId><version>4.22.0</version></dependency>
  </dependencies>
</project>
POM
cat > Member.java << 'JAVA'
import java.util.concurrent.TimeUnit;
import org.apache.camel.cluster.CamelClusterEventListener;
import org.apache.camel.cluster.CamelClusterMember;
import org.apache.camel.cluster.CamelClusterView;
import org.apache.camel.component.file.cluster.FileLockClusterService;
import org.apache.camel.impl.DefaultCamelContext;

class Member {
    public static void main(String[] args) throws Exception {
        FileLockClusterService service = new FileLockClusterService();
        service.setId(args[0]);
        service.setRoot(args[1]);
        service.setAcquireLockDelay(1, TimeUnit.SECONDS);
        service.setAcquireLockInterval(1, TimeUnit.SECONDS);
        DefaultCamelContext context = new DefaultCamelContext();
        context.addService(service);
        context.start();
        CamelClusterView view = service.getView("jobs");
        while (true) {
            System.out.println(args[0] + (view.getLocalMember().isLeader() ? " leads" : " follows"));
            Thread.sleep(500);
        }
    }
}
JAVA
mvn -B -q dependency:build-classpath -Dmdep.outputFile=classpath
classpath=$(cat classpath):.
javac -cp "$classpath" Member.java
member() {
  java -cp "$classpath" Member "$1" "$work/locks" > "$1.log" 2> "$1.errors" &
  pids+=($!)
}
member one
until grep -q leads one.log; do sleep 0.2; done
member other
sleep 10
kill -STOP "${pids[0]}"
sleep 60
frozen=$(tail -1 other.log)
kill -9 "${pids[0]}"
for _ in $(seq 100); do grep -q leads other.log && break; sleep 0.2; done
dead=$(tail -1 other.log)
echo "after 60 s with a frozen leader (interval 1 s): $frozen; after the leader was killed: $dead"
[ "$frozen" = 'other follows' ] && [ "$dead" = 'other leads' ] && echo 'as described'
