package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.servers.ZooKeeperServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;

/**
 * What a keep-alive costs that resumes its session, against a committed check alone: the figures of decision 0610. Not run by the build, which looks for names that end
 * in {@code Test}: {@code mvn -pl coordinators/zookeeper -am test -Dtest=RevalidationCost -Dsurefire.failIfNoSpecifiedTests=false}.
 */
final class RevalidationCost {
    private static final int WARM_UP = 200;
    private static final int MEASURED = 500;
    private static final int SESSION_MILLIS = 15_000;
    private static final double JIFFIES_PER_SECOND = 100;

    @FunctionalInterface
    private interface KeepAlive {
        void once() throws Exception;
    }

    private final List<ZooKeeperServer> members = ZooKeeperServer.ensemble(3, Duration.ofSeconds(2));
    private final String follower = members.stream()
            .filter(one -> !one.leads())
            .findFirst()
            .orElseThrow()
            .hostPort();

    @Test
    void aCommittedCheckAgainstAResumedSessionAndACommittedCheck() throws Exception {
        Handle stays = connected(0, new byte[0]);
        measure("a committed check", () -> check(stays));
        stays.close();
        List<Thread> farewells = new ArrayList<>();
        Handle[] current = {connected(0, new byte[0])};
        measure("the session resumed, and a committed check", () -> {
            Handle old = current[0];
            Thread farewell = new Thread(old::leave);
            farewell.start();
            current[0] = connected(old.getSessionId(), old.getSessionPasswd());
            check(current[0]);
            farewells.add(farewell);
        });
        for (Thread farewell : farewells) {
            farewell.join();
        }
        current[0].close();
        members.forEach(ZooKeeperServer::close);
    }

    private static void check(ZooKeeper client) throws Exception {
        client.multi(List.of(Op.check("/", -1)));
    }

    private Handle connected(long id, byte[] key) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        Handle client = new Handle(follower, id, key, connected);
        if (!connected.await(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException("no connection to " + follower);
        }
        return client;
    }

    private static final class Handle extends ZooKeeper {
        Handle(String server, long id, byte[] key, CountDownLatch connected) throws IOException {
            super(
                    server,
                    SESSION_MILLIS,
                    event -> {
                        if (event.getState() == KeeperState.SyncConnected) {
                            connected.countDown();
                        }
                    },
                    id,
                    key);
        }

        void leave() {
            cnxn.disconnect();
        }

        @Override
        public synchronized void close() {
            try {
                super.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void measure(String what, KeepAlive keepAlive) throws Exception {
        for (int i = 0; i < WARM_UP; i++) {
            keepAlive.once();
        }
        List<Long> took = new ArrayList<>();
        double servers = serverSeconds();
        double client = seconds(ProcessHandle.current().pid());
        for (int i = 0; i < MEASURED; i++) {
            long began = System.nanoTime();
            keepAlive.once();
            took.add(System.nanoTime() - began);
        }
        took.sort(null);
        System.out.printf(
                Locale.ROOT,
                "%s: %.1f ms median, %.1f ms of a hundred the slowest but one; processor: %.2f ms of the three servers, %.2f ms of the client%n",
                what,
                took.get(MEASURED / 2) / 1e6,
                took.get(MEASURED * 99 / 100) / 1e6,
                (serverSeconds() - servers) * 1e3 / MEASURED,
                (seconds(ProcessHandle.current().pid()) - client) * 1e3 / MEASURED);
    }

    private double serverSeconds() {
        return members.stream().mapToDouble(one -> seconds(one.process().pid())).sum();
    }

    /** What the processor has worked for it. */
    private static double seconds(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / JIFFIES_PER_SECOND;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
