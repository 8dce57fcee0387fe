#!/bin/bash
# Redisson's RLock: where the reply of lock() is lost, lock() throws, and the lock stays held for 30 s by nobody.
#
# Redisson 4.6.1 on Redis 7.0.15 (Debian 12), through a relay that delivers every request and, for a while, no reply. lock() gives up with a timeout. The lock was taken all the same, by a thread that does not know
# it: no watchdog renews it, and nothing tries to release it. So nobody holds the lock, and nobody else gets it, until the watchdog's timeout (30 s by default) has passed.
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
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

class Seen {
    private static volatile boolean mute;

    public static void main(String[] args) throws Exception {
        int redis = Integer.parseInt(args[0]);
        ServerSocket relay = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(() -> {
            while (true) {
                Socket client = relay.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), redis);
                start(() -> copy(client.getInputStream(), server.getOutputStream(), false));
                start(() -> copy(server.getInputStream(), client.getOutputStream(), true));
            }
        });
        RedissonClient behind = client(relay.getLocalPort());
        RedissonClient other = client(redis);
        RLock lock = behind.getLock("seen");
        lock.lock();
        lock.unlock();
        mute = true;
        boolean thrown = false;
        try {
            lock.lock();
        } catch (RuntimeException lost) {
            thrown = true;
            System.out.println("lock() throws " + lost.getClass().getSimpleName());
        }
        mute = false;
        long began = System.nanoTime();
        RLock same = other.getLock("seen");
        boolean held = same.isLocked();
        System.out.println("then the lock is locked: " + held + ", with " + same.remainTimeToLive() + " ms left");
        same.lock();
        long waited = (System.nanoTime() - began) / 1_000_000;
        System.out.println("another client gets it after " + waited + " ms");
        System.exit(thrown && held && waited > 10_000 ? 0 : 1);
    }

    private static RedissonClient client(int port) {
        Config config = new Config();
        config.useSingleServer().setAddress("redis://127.0.0.1:" + port);
        return Redisson.create(config);
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException ended) {
                // a connection that ends
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private static void copy(InputStream in, OutputStream out, boolean isReply) throws IOException {
        byte[] piece = new byte[65_536];
        for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
            if (!isReply || !mute) {
                out.write(piece, 0, length);
            }
        }
        out.close();
    }
}
JAVA
mvn -B -q dependency:build-classpath -Dmdep.outputFile=classpath
java -cp "$(cat classpath)" Seen.java "$port" 2> errors || { cat errors; exit 1; }
echo 'as described'
