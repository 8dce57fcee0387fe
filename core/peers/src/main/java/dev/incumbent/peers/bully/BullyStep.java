package dev.incumbent.peers.bully;

import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.PeerEffect;
import dev.incumbent.peers.PeerEvent;
import dev.incumbent.peers.PeerGroup;
import dev.incumbent.peers.PeerTiming;
import dev.incumbent.peers.bully.BullyState.Phase;
import dev.incumbent.protocol.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One step in the making. Lives for one step. */
final class BullyStep {
    private final PeerGroup group;
    private final PeerTiming timing;
    private final long now;
    private final List<PeerEffect<BullyMessage>> effects = new ArrayList<>();
    private Phase phase;
    private Optional<MemberId> leader;
    private long dueAt;

    BullyStep(PeerGroup group, PeerTiming timing, BullyState state, long now) {
        this.group = group;
        this.timing = timing;
        this.now = now;
        this.phase = state.phase();
        this.leader = state.leader();
        this.dueAt = state.dueAtNanos();
    }

    Step<BullyState, PeerEffect<BullyMessage>> done() {
        return new Step<>(new BullyState(phase, leader, dueAt), effects, dueAt);
    }

    void take(PeerEvent<BullyMessage> event) {
        if (event instanceof PeerEvent.Started<BullyMessage>) {
            elect();
        } else if (event instanceof PeerEvent.Received<BullyMessage> received
                && phase != Phase.STOPPED
                && group.others().contains(received.from())) {
            if (received.from().compareTo(group.me()) > 0) {
                greaterSays(received.from(), received.message());
            } else {
                lesserSays(received.from(), received.message());
            }
        }
    }

    /** What time has ended. */
    void pursue() {
        if (now < dueAt) {
            return;
        }
        switch (phase) {
            case STOPPED -> {}
            case FOLLOWER, WAITING -> elect();
            case ELECTING -> lead();
            case LEADER -> {
                group.lesser().forEach(member -> send(member, BullyMessage.HEARTBEAT));
                dueIn(timing.heartbeat());
            }
        }
    }

    private void greaterSays(MemberId from, BullyMessage message) {
        switch (message) {
            case ELECTION -> {}
            case ALIVE -> {
                if (phase == Phase.ELECTING) {
                    phase = Phase.WAITING;
                    dueIn(timing.announcement());
                }
            }
            case COORDINATOR -> follow(from);
            case HEARTBEAT -> {
                if (leader.isEmpty() || from.compareTo(leader.get()) >= 0) {
                    follow(from);
                }
            }
        }
    }

    /**
     * A lesser member that leads, or wants to, does not know that this one lives. A follower whose leader was heard lately only answers an ELECTION: else, while a leader lives, each ELECTION
     * would make every greater follower hold one more, and in a large group they would never end.
     */
    private void lesserSays(MemberId from, BullyMessage message) {
        if (message == BullyMessage.ELECTION) {
            send(from, BullyMessage.ALIVE);
        }
        boolean isLed = phase == Phase.FOLLOWER
                && message == BullyMessage.ELECTION
                && dueAt - now > timing.silence().toNanos() / 2;
        if (message != BullyMessage.ALIVE && (phase == Phase.FOLLOWER || phase == Phase.LEADER) && !isLed) {
            elect();
        }
    }

    private void elect() {
        if (group.greater().isEmpty()) {
            lead();
            return;
        }
        stopLeading();
        phase = Phase.ELECTING;
        leader = Optional.empty();
        group.greater().forEach(member -> send(member, BullyMessage.ELECTION));
        dueIn(timing.answer());
    }

    private void lead() {
        group.lesser().forEach(member -> send(member, BullyMessage.COORDINATOR));
        if (phase != Phase.LEADER) {
            effects.add(new PeerEffect.BeginLeading<>());
        }
        phase = Phase.LEADER;
        leader = Optional.of(group.me());
        dueIn(timing.heartbeat());
    }

    private void follow(MemberId next) {
        stopLeading();
        if (!leader.equals(Optional.of(next))) {
            effects.add(new PeerEffect.FollowLeader<>(next));
        }
        phase = Phase.FOLLOWER;
        leader = Optional.of(next);
        dueIn(timing.silence());
    }

    private void stopLeading() {
        if (phase == Phase.LEADER) {
            effects.add(new PeerEffect.StopLeading<>());
        }
    }

    private void send(MemberId to, BullyMessage message) {
        effects.add(new PeerEffect.Send<>(to, message));
    }

    private void dueIn(Duration wait) {
        dueAt = now + wait.toNanos();
    }
}
