#!/bin/bash
# Vert.x with Infinispan or ZooKeeper: a second release() of a lock frees the lock of the next holder on that node.
#
# vertx-infinispan 5.0.7 and vertx-zookeeper 5.0.7, one node, all settings as they come but for addresses. A lock's object should end with its release: that of Vert.x without a cluster, and
# that of vertx-hazelcast, ignore a second one. These two pass it on to a lock that all holders of a node share: Infinispan's belongs to the node, and for ZooKeeper the manager
# keeps one object for each name. So a release in a finally block, after one in a handler, frees what another verticle of the process holds by then.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > pom.xml << 'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>seen</groupId><artifactId>seen</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>io.vertx</groupId><artifactId>vertx-infinispan</artifactId><version>5.0.7</version></dependency>
    <dependency><groupId>io.vertx</groupId><artifactId>vertx-zookeeper</artifactId><version>5.0.7</version></dependency>
    <dependency><groupId>org.apache.curator</groupId><artifactId>curator-test</artifactId><version>5.4.0</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-nop</artifactId><version>1.7.36</version></dependency>
  </dependencies>
</project>
POM
cat > Seen.java << 'JAVA'
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.core.shareddata.Lock;
import io.vertx.core.spi.cluster.ClusterManager;
import io.vertx.ext.cluster.infinispan.InfinispanClusterManager;
import io.vertx.spi.cluster.zookeeper.ZookeeperClusterManager;
import org.apache.curator.test.TestingServer;

class Seen {
    public static void main(String[] args) throws Exception {
        try (TestingServer server = new TestingServer()) {
            JsonObject hosts = new JsonObject().put("zookeeperHosts", server.getConnectString());
            boolean alone = secondReleaseFrees("no cluster", Vertx.vertx());
            boolean infinispan = secondReleaseFrees("Infinispan", clustered(new InfinispanClusterManager()));
            boolean zookeeper = secondReleaseFrees("ZooKeeper", clustered(new ZookeeperClusterManager(hosts)));
            System.exit(!alone && infinispan && zookeeper ? 0 : 1);
        }
    }

    private static Vertx clustered(ClusterManager manager) {
        VertxOptions options = new VertxOptions();
        options.getEventBusOptions().setHost("127.0.0.1");
        return Vertx.builder().with(options).withClusterManager(manager).buildClustered().await();
    }

    private static boolean secondReleaseFrees(String kind, Vertx vertx) throws InterruptedException {
        Lock first = vertx.sharedData().getLock("seen").await();
        first.release();
        Lock second = vertx.sharedData().getLock("seen").await();
        boolean before = getsIt(vertx);
        first.release();
        Thread.sleep(1000);
        boolean after = getsIt(vertx);
        System.out.println(kind + ": while the second holder has the lock, a third gets it: " + before + ", and after another release by the first: " + after);
        return !before && after;
    }

    private static boolean getsIt(Vertx vertx) {
        return vertx.sharedData().getLockWithTimeout("seen", 2000).map(true).otherwise(false).await();
    }
}
JAVA
mvn -B -q dependency:build-classpath -Dmdep.outputFile=classpath
java -Djgroups.bind_addr=127.0.0.1 -Djgroups.bind_port=20731 '-Djgroups.tcpping.initial_hosts=127.0.0.1[20731]' -cp "$(cat classpath)" Seen.java 2> errors > out || { cat out errors; exit 1; }
grep third out
echo 'as described'
