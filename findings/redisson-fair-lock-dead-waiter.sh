#!/bin/bash
# Redisson's fair lock: a process that ends while it waits keeps a free lock from all who wait behind it for five and a half minutes.
#
# Redisson 4.6.1 on Redis 7.0.15 (Debian 12), defaults. Who waits stands in a queue in Redis, with a time at which it is taken for dead: the lock's own 30 s, and Config's fairLockWaitTimeout, 5 minutes
# (5 s in old versions, as many pages still tell). A waiter that is alive does nothing to show it. So the lock is free, its watchdog's 30 s are long over, and nobody gets it.
# Where the lock is an election, nobody leads for that time after a follower ended, and then the leader.
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
(cd deb && apt-get download -q redis-tools=5:7.0.15-1~deb12u7 redis-server=5:7.0.15-1~deb12u7 liblzf1 libjemalloc2 libatomic1 > /dev/null)
for package in deb/*.deb; do dpkg -x "$package" root; done
libraries=$(find root -name '*.so*' -printf '%h\n' | sort -u | tr '\n' ':')
port=$((20000 + RANDOM % 10000))
LD_LIBRARY_PATH=$libraries root/usr/bin/redis-server --port "$port" --bind 127.0.0.1 --save '' --dir "$work" > redis.log &
pids+=($!)
cat > pom.xml << 'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>seen</groupId><artifactId>seen</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.redisson</groupId><artifactId>redisson</artifactId><version>4.6.1</version></dependency>
  </dependencies>
</project>
POM
cat > Member.java << 'JAVA'
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Takes the lock, says when it has it, and releases it when its input ends. */
class Member {
    public static void main(String[] args) throws Exception {
        Config config = new Config();
        config.useSingleServer().setAddress("redis://127.0.0.1:" + args[0]);
        RedissonClient client = Redisson.create(config);
        RLock lock = client.getFairLock("seen");
        lock.lock();
        System.out.println(System.currentTimeMillis() + " has it");
        while (System.in.read() >= 0) {}
        lock.unlock();
        System.out.println(System.currentTimeMillis() + " released it");
        client.shutdown();
    }
}
JAVA
mvn -B -q dependency:build-classpath -Dmdep.outputFile=classpath
classpath=$(cat classpath):.
javac -cp "$classpath" Member.java
member() {
  mkfifo "$1.in"
  java -cp "$classpath" Member "$port" < "$1.in" > "$1.log" 2> "$1.errors" 3>&- 4>&- 5>&- &
  pids+=($!)
}
redis() { LD_LIBRARY_PATH=$libraries root/usr/bin/redis-cli -p "$port" "$@"; }
waiting() { until [ "$(redis llen 'redisson_lock_queue:{seen}')" = "$1" ]; do sleep 0.2; done; }
member holder
exec 3> holder.in
until grep -q 'has it' holder.log; do sleep 0.2; done
member dead
exec 4> dead.in
dead=${pids[-1]}
waiting 1
{ kill -9 "$dead" && wait "$dead"; } 2> /dev/null || true
member next
exec 5> next.in
waiting 2
exec 3>&-
until grep -q released holder.log; do sleep 0.2; done
echo "the holder releases the lock; in Redis, it is there: $(redis exists seen)"
for _ in $(seq 800); do grep -q 'has it' next.log && break; sleep 0.5; done
[ -s next.log ] || { echo 'after 400 s, the one that waits does not have it'; exit 1; }
free=$((($(cut -d' ' -f1 next.log) - $(awk '/released/ { print $1 }' holder.log)) / 1000))
echo "the one that waits behind a dead one gets it after $free s"
[ "$free" -ge 300 ] && echo 'as described'
