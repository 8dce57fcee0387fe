#!/bin/bash
# Redisson's RFencedLock: lockAndGetToken(10, SECONDS) is renewed for ever, and lock(10, SECONDS) ends after 10 s.
#
# Redisson 4.6.1 on Redis 7.0.15 (Debian 12). The two methods promise the same of leaseTime: the lock is given up after that time if nobody unlocks it. The one that also tells a
# token drops the time on its way: the lock gets the watchdog's 30 s, and the watchdog renews it as long as the process lives. Whoever relied on the 10 s to end
# a task that hangs waits for ever.
set -eu
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
cd "$work"
mkdir deb root && chmod 755 . && chmod 777 deb # apt downloads as a user of its own
(cd deb && apt-get download -q redis-tools=5:7.0.15-1~deb12u7 redis-server=5:7.0.15-1~deb12u7 liblzf1 libjemalloc2 libatomic1 > /dev/null)
for package in deb/*.deb; do dpkg -x "$package" root; done
libraries=$(find root -name '*.so*' -printf '%h\n' | sort -u | tr '\n' ':')
port=$((20000 + RANDOM % 10000))
LD_LIBRARY_PATH=$libraries root/usr/bin/redis-server --port "$port" --bind 127.0.0.1 --save '' --dir "$work" > redis.log &
server=$!
cat > pom.xml << 'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>seen</groupId><artifactId>seen</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.redisson</groupId><artifactId>redisson</artifactId><version>4.6.1</version></dependency>
  </dependencies>
</project>
POM
cat > Seen.java << 'JAVA'
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

class Seen {
    public static void main(String[] args) throws Exception {
        Config config = new Config();
        config.useSingleServer().setAddress("redis://127.0.0.1:" + args[0]);
        RedissonClient client = Redisson.create(config);
        RFencedLock plain = client.getFencedLock("plain");
        RFencedLock token = client.getFencedLock("token");
        plain.lock(10, TimeUnit.SECONDS);
        token.lockAndGetToken(10, TimeUnit.SECONDS);
        System.out.println("at once:    lock(10 s) has " + plain.remainTimeToLive() + " ms left, lockAndGetToken(10 s) " + token.remainTimeToLive());
        Thread.sleep(45_000);
        System.out.println("after 45 s: lock(10 s) is locked: " + plain.isLocked() + ", lockAndGetToken(10 s): " + token.isLocked() + ", with "
                + token.remainTimeToLive() + " ms left");
        boolean asDescribed = !plain.isLocked() && token.isLocked();
        client.shutdown();
        System.exit(asDescribed ? 0 : 1);
    }
}
JAVA
mvn -B -q dependency:build-classpath -Dmdep.outputFile=classpath
java -cp "$(cat classpath)" Seen.java "$port" 2> errors || { cat errors; exit 1; }
echo 'as described'
