#!/bin/bash
# Hazelcast's FencedLock: open source up to 5.4.0, refused without a licence from 5.5.0 on.
#
# com.hazelcast:hazelcast, the open-source artifact, 5.4.0 and 5.5.0. The classes are still there. A member that is configured for the subsystem of which the lock is a part does
# not start. So a minor version, as a bot proposes it, takes the lock away, and the compiler says nothing.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > Seen.java << 'JAVA'
import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.cp.lock.FencedLock;
import java.util.ArrayList;
import java.util.List;

class Seen {
    public static void main(String[] args) throws Exception {
        List<Thread> starts = new ArrayList<>();
        List<HazelcastInstance> members = java.util.Collections.synchronizedList(new ArrayList<>());
        try {
            for (int i = 0; i < 3; i++) {
                Thread start = new Thread(() -> {
                    try {
                        members.add(Hazelcast.newHazelcastInstance(config()));
                    } catch (RuntimeException refused) {
                        System.out.println(args[0] + ": a member does not start: " + refused.getMessage());
                    }
                });
                starts.add(start);
                start.start();
            }
            for (Thread start : starts) {
                start.join();
            }
            FencedLock lock = members.get(0).getCPSubsystem().getLock("seen");
            System.out.println(args[0] + ": the lock tells the token " + lock.lockAndGetFence());
        } catch (RuntimeException refused) {
            System.out.println(args[0] + ": there is no lock: " + refused.getMessage());
        }
        System.exit(0);
    }

    private static Config config() {
        Config config = new Config();
        config.setClusterName("seen");
        config.getCPSubsystemConfig().setCPMemberCount(3);
        config.getNetworkConfig().setPort(20711).getJoin().getAutoDetectionConfig().setEnabled(false);
        config.getNetworkConfig().getJoin().getMulticastConfig().setEnabled(false);
        config.getNetworkConfig().getJoin().getTcpIpConfig().setEnabled(true).addMember("127.0.0.1:20711").addMember("127.0.0.1:20712").addMember("127.0.0.1:20713");
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        return config;
    }
}
JAVA
for version in 5.4.0 5.5.0; do
  cat > pom.xml << POM
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>seen</groupId><artifactId>seen</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>com.hazelcast</groupId><artifactId>hazelcast</artifactId><version>$version</version></dependency>
  </dependencies>
</project>
POM
  mvn -B -q dependency:build-classpath -Dmdep.outputFile=classpath
  java -Dhazelcast.phone.home.enabled=false -cp "$(cat classpath)" Seen.java "$version" 2> "errors-$version" | tee "out-$version"
done
grep -q 'tells the token' out-5.4.0 && ! grep -q 'tells the token' out-5.5.0 && grep -qi 'licen\|enterprise' out-5.5.0 && echo 'as described'
