package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.servers.SmallDisk;
import dev.incumbent.servers.Waiting;
import dev.incumbent.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;

/** A server that one test may freeze, kill and, where disks can be mounted, fill. */
final class ZooKeeperAdverseRig extends ZooKeeperRig {
    private static final int MEGABYTES = 8;
    private static final byte[] FILLER = new byte[500_000];

    private final ZooKeeperServer server;
    private final Optional<SmallDisk> disk;

    private ZooKeeperAdverseRig(ZooKeeperServer server, Optional<SmallDisk> disk) {
        super(server, Duration.ofSeconds(1));
        this.server = server;
        this.disk = disk;
    }

    static ZooKeeperAdverseRig start() {
        if (!SmallDisk.isPossible()) {
            return new ZooKeeperAdverseRig(ZooKeeperServer.start(Servers.TICK), Optional.empty());
        }
        SmallDisk disk = SmallDisk.ofMegabytes(MEGABYTES);
        return new ZooKeeperAdverseRig(
                ZooKeeperServer.startIn(disk.folder("zookeeper"), Servers.TICK), Optional.of(disk));
    }

    @Override
    public Set<ServerFault> serverFaults() {
        return disk.isPresent() ? EnumSet.allOf(ServerFault.class) : EnumSet.of(ServerFault.FROZEN, ServerFault.KILLED);
    }

    @Override
    public void befall(ServerFault fault) {
        switch (fault) {
            case FROZEN -> server.process().freeze();
            case KILLED -> server.process().kill();
            case FULL -> fill();
        }
    }

    /** A server that cannot write its log ends itself. */
    private void fill() {
        disk.orElseThrow().fill();
        String unused = Plain.at(server.hostPort(), plain -> {
            try {
                return plain.create("/filler", FILLER, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            } catch (KeeperException.ConnectionLossException ended) {
                return "";
            }
        });
        Waiting.until("the end of the server", () -> !server.process().isRunning());
    }

    @Override
    public void recover(ServerFault fault) {
        if (fault == ServerFault.FROZEN) {
            server.process().thaw();
            return;
        }
        disk.ifPresent(SmallDisk::makeRoom);
        server.process().startAgain();
    }

    @Override
    public void close() {
        super.close();
        server.close();
        disk.ifPresent(SmallDisk::close);
    }
}
