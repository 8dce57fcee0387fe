#!/bin/bash
# Curator's LeaderLatch: once the leader's node is deleted, the old and the new leader both say yes, on healthy connections.
#
# Curator 5.9.0 (curator-recipes, curator-test). A latch watches the node before its own, never its own. So when somebody deletes the leader's node (an operator who cleans up,
# a restored backup, a script that ends sessions' nodes), the next in line leads, and the one before hears nothing: hasLeadership() of both is true until a connection breaks.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > pom.xml << 'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>seen</groupId><artifactId>seen</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.curator</groupId><artifactId>curator-recipes</artifactId><version>5.9.0</version></dependency>
    <dependency><groupId>org.apache.curator</groupId><artifactId>curator-test</artifactId><version>5.9.0</version></dependency>
  </dependencies>
</project>
POM
cat > Seen.java << 'JAVA'
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;

class Seen {
    public static void main(String[] args) throws Exception {
        try (TestingServer server = new TestingServer();
                CuratorFramework a = client(server);
                CuratorFramework b = client(server);
                LeaderLatch one = new LeaderLatch(a, "/election", "one");
                LeaderLatch other = new LeaderLatch(b, "/election", "other")) {
            one.start();
            one.await();
            other.start();
            while (a.getChildren().forPath("/election").size() < 2) {
                Thread.sleep(20);
            }
            System.out.println("before: one leads " + one.hasLeadership() + ", other leads " + other.hasLeadership());
            b.delete().forPath(one.getOurPath());
            boolean took = other.await(10, TimeUnit.SECONDS);
            Thread.sleep(10_000);
            System.out.println("10 s after its node was deleted: one leads " + one.hasLeadership() + ", other leads " + other.hasLeadership()
                    + ", connected " + a.getZookeeperClient().isConnected() + " and " + b.getZookeeperClient().isConnected());
            System.exit(took && one.hasLeadership() && other.hasLeadership() ? 0 : 1);
        }
    }

    private static CuratorFramework client(TestingServer server) {
        CuratorFramework client = CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100));
        client.start();
        return client;
    }
}
JAVA
mvn -B -q dependency:build-classpath -Dmdep.outputFile=classpath
java -cp "$(cat classpath)" Seen.java 2> errors || { cat errors; exit 1; }
echo 'as described'
