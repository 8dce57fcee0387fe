#!/bin/bash
# Vert.x with Hazelcast: while a lock is held, each twentieth attempt on the same node gets it, too.
#
# vertx-hazelcast 5.0.7 (Hazelcast 5.3.8), one node, all settings as they come but for addresses. A Vert.x lock belongs to who got it, whatever thread runs. Underneath is a Hazelcast
# lock of a map's key, which belongs to a thread and is reentrant. Attempts run on the 20 worker threads in turn. So each attempt that is run by the thread that ran the
# holder's succeeds at once. Release frees the key by force: the second holder's release ends the first one's lock, too, and the first one hears nothing.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > pom.xml << 'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>seen</groupId><artifactId>seen</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>io.vertx</groupId><artifactId>vertx-hazelcast</artifactId><version>5.0.7</version></dependency>
  </dependencies>
</project>
POM
cat > Seen.java << 'JAVA'
import com.hazelcast.config.Config;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.shareddata.Lock;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

class Seen {
    private static Vertx vertx;

    public static void main(String[] args) throws Exception {
        VertxOptions options = new VertxOptions();
        options.getEventBusOptions().setHost("127.0.0.1");
        vertx = Vertx.builder().with(options).withClusterManager(new HazelcastClusterManager(config())).buildClustered().await();

        Optional<Lock> first = attempt();
        System.out.println("the first attempt gets the lock: " + first.isPresent());
        List<Integer> also = new ArrayList<>();
        Optional<Lock> second = Optional.empty();
        for (int i = 1; i <= 60; i++) {
            Optional<Lock> got = attempt();
            if (got.isPresent()) {
                also.add(i);
                second = got;
            }
        }
        System.out.println("while it is held, of 60 more attempts these get it, too: " + also);
        second.orElseThrow().release();
        Thread.sleep(1000);
        boolean freed = attempt().isPresent();
        System.out.println("after the release by one of these, the next attempt gets it: " + freed);
        System.exit(first.isPresent() && !also.isEmpty() && freed ? 0 : 1);
    }

    private static Optional<Lock> attempt() {
        return vertx.sharedData().getLockWithTimeout("seen", 50).map(Optional::of).otherwise(Optional.empty()).await();
    }

    private static Config config() {
        Config config = new Config();
        config.setClusterName("seen");
        config.getNetworkConfig().setPort(20721).getJoin().getAutoDetectionConfig().setEnabled(false);
        config.getNetworkConfig().getJoin().getMulticastConfig().setEnabled(false);
        config.getNetworkConfig().getJoin().getTcpIpConfig().setEnabled(true).addMember("127.0.0.1:20721");
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        return config;
    }
}
JAVA
mvn -B -q dependency:build-classpath -Dmdep.outputFile=classpath
java -Dhazelcast.phone.home.enabled=false -cp "$(cat classpath)" Seen.java 2> errors || { cat errors; exit 1; }
echo 'as described'
