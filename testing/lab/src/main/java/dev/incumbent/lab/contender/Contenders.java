package dev.incumbent.lab.contender;

import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.lab.world.Contender;
import dev.incumbent.lab.world.LabMember;
import dev.incumbent.lab.world.LabWorld;
import dev.incumbent.model.Timing;
import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.PeerGroup;
import dev.incumbent.peers.PeerTiming;
import dev.incumbent.peers.raft.RaftProtocol;
import dev.incumbent.peers.raft.RaftTiming;
import dev.incumbent.peers.ring.RingForm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;

/** Puts a protocol on each member of a world, and starts it. */
public final class Contenders {
    private Contenders() {}

    /** The bully. */
    public static void bully(LabWorld world, PeerTiming timing) {
        peers(world, (member, group) -> PeerMachines.bully(group, timing));
    }

    /** The ring, in that form. */
    public static void ring(LabWorld world, PeerTiming timing, RingForm form) {
        peers(world, (member, group) -> PeerMachines.ring(group, timing, form));
    }

    private static <S, M> void peers(
            LabWorld world, BiFunction<LabMember, PeerGroup, PeerMachines.PeerMachine<S, M>> machines) {
        Map<MemberId, PeerContender<S, M>> all = new TreeMap<>();
        world.start(member -> new PeerContender<>(member, machines.apply(member, group(world, member)), all));
    }

    /** Raft's election. */
    public static void raft(LabWorld world, RaftTiming timing) {
        Map<MemberId, RaftContender> all = new TreeMap<>();
        world.start(member -> new RaftContender(member, new RaftProtocol(group(world, member), timing), all));
    }

    /** The shipped library over a store in memory; with a sink that it raises, or with none. */
    public static void lease(LabWorld world, Duration lease, boolean fenced) {
        MemoryStore store = new MemoryStore(world.storeClock());
        MemoryStore.Backup empty = store.backup();
        world.whenTheStoreForgets(() -> store.restore(empty));
        Timing timing = Timing.ofLease(lease);
        CountedWire.AtTheStore asked = new CountedWire.AtTheStore();
        world.start(member -> new LeaseContender(member, store, asked, timing, fenced));
    }

    /** A flag in a row. */
    public static void flag(LabWorld world, Duration lease) {
        row(world, RowRule.FLAG, lease);
    }

    /** {@code expiry > now()} by wall clocks. */
    public static void wallClock(LabWorld world, Duration lease) {
        row(world, RowRule.WALL_CLOCK, lease);
    }

    /** A row's lock, held by a connection. */
    public static void connectionLock(LabWorld world, Duration lease) {
        row(world, RowRule.CONNECTION_LOCK, lease);
    }

    /** A lease without a token, on a store that forgets it on failover. */
    public static void forgetfulLease(LabWorld world, Duration lease) {
        row(world, RowRule.FORGETFUL_LEASE, lease);
    }

    /** Ping and take over. */
    public static void ping(LabWorld world) {
        List<PingContender> all = new ArrayList<>();
        world.start(member -> (Contender) new PingContender(member, all));
    }

    private static void row(LabWorld world, RowRule rule, Duration lease) {
        LockRow row = new LockRow();
        world.whenTheStoreForgets(row::clear);
        world.start(member -> new RowContender(member, rule, row, lease));
    }

    private static PeerGroup group(LabWorld world, LabMember member) {
        return new PeerGroup(
                member.id(), world.members().stream().map(LabMember::id).toList());
    }
}
