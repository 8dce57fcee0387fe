package dev.incumbent.peers.raft;

import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.PeerGroup;
import dev.incumbent.protocol.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** One step in the making. Lives for one step. */
final class RaftStep {
    final PeerGroup group;
    final RaftTiming timing;
    final long now;
    final long passed;
    final long dice;
    final Set<MemberId> granted;
    RaftRole role;
    VotePromise promise;
    long dueAt;
    Optional<LedTerm> led;
    Optional<TermInquiry> inquiry;
    private Optional<RaftDisk> disk;
    private final List<RaftEffect> effects = new ArrayList<>();

    RaftStep(RaftProtocol protocol, RaftState state, long now, long passed, long dice) {
        this.group = protocol.group;
        this.timing = protocol.timing;
        this.now = now;
        this.passed = passed;
        this.dice = dice;
        this.role = state.role();
        this.disk = state.disk();
        this.promise = state.promise();
        this.dueAt = state.dueAtNanos();
        this.granted = new TreeSet<>(state.granted());
        this.led = state.led();
        this.inquiry = state.inquiry();
    }

    Step<RaftState, RaftEffect> done() {
        RaftState state = new RaftState(role, disk, promise, dueAt, granted, led, inquiry);
        long stopsAt = role == RaftRole.LEADER ? LeaseRules.stopsAt(this, led.orElseThrow()) : Step.NEVER;
        return new Step<>(state, effects, Math.min(dueAt, stopsAt));
    }

    /** What is on the disk; there is something unless the member is stopped or wiped. */
    RaftDisk disk() {
        return disk.orElseThrow();
    }

    long term() {
        return disk().term();
    }

    void emit(RaftEffect effect) {
        effects.add(effect);
    }

    void send(MemberId to, RaftMessage message) {
        emit(new RaftEffect.Send(to, message));
    }

    void sendOthers(RaftMessage message) {
        group.others().forEach(member -> send(member, message));
    }

    void persist(RaftDisk next) {
        if (!disk.equals(Optional.of(next))) {
            emit(new RaftEffect.Persist(next));
            disk = Optional.of(next);
        }
    }

    /** What was found on the disk at the start. */
    void found(RaftDisk there) {
        disk = Optional.of(there);
    }

    /** A greater term is known: whatever this member was in its own, it is a follower in that one. */
    void adopt(long term) {
        if (term > term()) {
            persist(disk().unvoted(term));
            becomeFollower();
        }
    }

    /** Of nobody, until a leader is heard. A leader's task is told to stop. */
    void becomeFollower() {
        if (role == RaftRole.LEADER) {
            LeaseRules.leave(this);
        }
        role = RaftRole.FOLLOWER;
        promise = promise.leaderless();
        granted.clear();
        armElection();
    }

    void becomeCandidate(RaftRole kind) {
        role = kind;
        promise = promise.leaderless();
        granted.clear();
        granted.add(group.me());
        armElection();
    }

    /** It stands no earlier than it may vote. */
    void armElection() {
        long muted = Math.max(passed, promise.mutedUntilNanos()) - passed;
        dueAt = now + muted + timing.electionNanos(dice);
    }

    boolean isGrantedByMajority() {
        return granted.size() >= group.majority();
    }
}
