package dev.incumbent.lab;

import dev.incumbent.lab.contender.Contenders;
import dev.incumbent.lab.world.LabWorld;
import dev.incumbent.peers.PeerTiming;
import dev.incumbent.peers.raft.RaftTiming;
import dev.incumbent.peers.ring.RingForm;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/** The protocols that the lab compares. The last five are wrong answers, which programs give all the same. */
public enum LabProtocol {
    BULLY("bully", false, false, "the greatest member that lives leads (Garcia-Molina)"),
    RING("ring", false, false, "the same, found by a token round a ring (Chang and Roberts)"),
    RING_LIST("ring-list", false, false, "the same, by a list that each member enters itself in (Tanenbaum)"),
    RAFT("raft", false, true, "Raft's election with pre-vote and a leader lease; its term is a token"),
    LEASE_FENCE(
            "lease+fence", true, true, "the shipped protocol: a lease at a store, and a sink that refuses old tokens"),
    LEASE("lease", true, false, "the same without a sink to raise"),
    FLAG("flag", false, false, "wrong: whoever finds a row empty writes its name there, for ever"),
    WALL_CLOCK("wall-clock", true, false, "wrong: a row with an expiry that each compares with its own wall clock"),
    PING("ping", false, false, "wrong: ping the leader, and take over when it does not answer"),
    ROW_LOCK("row-lock", false, false, "wrong: a row's lock, held by a connection"),
    FORGETFUL("forgetful", true, false, "wrong: a lease without a token, on a store that forgets it on failover");

    private final String label;
    private final boolean leased;
    private final boolean fenced;
    private final String what;

    LabProtocol(String label, boolean leased, boolean fenced, String what) {
        this.label = label;
        this.leased = leased;
        this.fenced = fenced;
        this.what = what;
    }

    /** Its name on the command line. */
    public String label() {
        return label;
    }

    /** One sentence about it. */
    public String what() {
        return what;
    }

    /** Does the length of a lease matter to it? */
    public boolean isLeased() {
        return leased;
    }

    /** Has it a token that a sink can compare? */
    public boolean isFenced() {
        return fenced;
    }

    /** The one of that name. */
    public static Optional<LabProtocol> of(String label) {
        return Arrays.stream(values()).filter(one -> one.label.equals(label)).findFirst();
    }

    /** Puts it on all members of a world. */
    void join(LabWorld world, Duration lease) {
        switch (this) {
            case BULLY -> Contenders.bully(world, PeerTiming.DEFAULT);
            case RING -> Contenders.ring(world, PeerTiming.DEFAULT, RingForm.GREATEST);
            case RING_LIST -> Contenders.ring(world, PeerTiming.DEFAULT, RingForm.LIST);
            case RAFT -> Contenders.raft(world, RaftTiming.DEFAULT);
            case LEASE_FENCE -> Contenders.lease(world, lease, true);
            case LEASE -> Contenders.lease(world, lease, false);
            case FLAG -> Contenders.flag(world, lease);
            case WALL_CLOCK -> Contenders.wallClock(world, lease);
            case PING -> Contenders.ping(world);
            case ROW_LOCK -> Contenders.connectionLock(world, lease);
            case FORGETFUL -> Contenders.forgetfulLease(world, lease);
        }
    }
}
