package dev.incumbent.peers.ring;

import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.PeerEffect;
import dev.incumbent.peers.PeerEvent;
import dev.incumbent.peers.PeerGroup;
import dev.incumbent.peers.PeerTiming;
import dev.incumbent.peers.ring.RingState.PassedToken;
import dev.incumbent.peers.ring.RingState.Phase;
import dev.incumbent.protocol.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** One step in the making. Lives for one step. */
final class RingStep {
    private final PeerGroup group;
    private final PeerTiming timing;
    private final RingForm form;
    private final long now;
    private final List<PeerEffect<RingMessage>> effects = new ArrayList<>();
    private final Set<MemberId> dead;
    private final Map<Long, PassedToken> passed;
    private Phase phase;
    private Optional<MemberId> leader;
    private long dueAt;
    private long electionEndsAt;
    private long lastNumber;

    RingStep(PeerGroup group, PeerTiming timing, RingForm form, RingState state, long now) {
        this.group = group;
        this.timing = timing;
        this.form = form;
        this.now = now;
        this.dead = new TreeSet<>(state.dead());
        this.passed = new TreeMap<>(state.passed());
        this.phase = state.phase();
        this.leader = state.leader();
        this.dueAt = state.dueAtNanos();
        this.electionEndsAt = state.electionEndsAtNanos();
        this.lastNumber = state.lastNumber();
    }

    Step<RingState, PeerEffect<RingMessage>> done() {
        RingState state = new RingState(phase, leader, dueAt, electionEndsAt, dead, passed, lastNumber);
        long wakeAt = passed.values().stream()
                .mapToLong(PassedToken::dueAtNanos)
                .reduce(Math.min(dueAt, electionEndsAt), Math::min);
        return new Step<>(state, effects, wakeAt);
    }

    void take(PeerEvent<RingMessage> event) {
        if (event instanceof PeerEvent.Started<RingMessage>) {
            phase = Phase.FOLLOWER;
            initiate();
        } else if (event instanceof PeerEvent.Received<RingMessage> received
                && phase != Phase.STOPPED
                && group.others().contains(received.from())) {
            receive(received.from(), received.message());
        }
    }

    /** What time has ended. */
    void pursue() {
        for (Map.Entry<Long, PassedToken> entry : new TreeMap<>(passed).entrySet()) {
            if (now >= entry.getValue().dueAtNanos()) {
                passed.remove(entry.getKey());
                dead.add(entry.getValue().to());
                pass(entry.getValue().token());
            }
        }
        if (now >= electionEndsAt) {
            electionEndsAt = Step.NEVER;
            if (leader.isEmpty()) {
                initiate();
            }
        }
        if (now >= dueAt) {
            if (phase == Phase.LEADER) {
                beat();
            } else {
                leader = Optional.empty();
                dueAt = Step.NEVER;
                if (!isElecting()) {
                    initiate();
                }
            }
        }
    }

    private void receive(MemberId from, RingMessage message) {
        dead.remove(from);
        if (message instanceof RingMessage.Passed token) {
            effects.add(new PeerEffect.Send<>(from, new RingMessage.Taken(token.number())));
            take(token.token());
        } else if (message instanceof RingMessage.Taken taken) {
            PassedToken token = passed.get(taken.number());
            if (token != null && token.to().equals(from)) {
                passed.remove(taken.number());
            }
        } else if (message instanceof RingMessage.Heartbeat) {
            heard(from);
        }
    }

    /** A lesser member that leads will hear of the election that this one takes part in, or begins soon. */
    private void heard(MemberId from) {
        boolean greater = from.compareTo(group.me()) > 0;
        if (greater && (leader.isEmpty() || from.compareTo(leader.get()) >= 0)) {
            follow(from);
        }
    }

    private void take(RingToken token) {
        if (token instanceof RingToken.Candidature candidature) {
            takeCandidature(candidature);
        } else if (token instanceof RingToken.Collection collection) {
            takeCollection(collection.members());
        } else if (token instanceof RingToken.Announcement announcement) {
            takeAnnouncement(announcement);
        }
    }

    private void takeCandidature(RingToken.Candidature token) {
        int compared = token.greatest().compareTo(group.me());
        if (compared == 0 && isElecting()) {
            announce(group.me());
        } else if (compared > 0 && token.hops() < group.size()) {
            takePart();
            pass(new RingToken.Candidature(token.greatest(), token.hops() + 1));
        } else if (compared < 0 && !isElecting()) {
            initiate();
        }
    }

    private void takeCollection(List<MemberId> members) {
        if (members.contains(group.me())) {
            announce(Collections.max(members));
            return;
        }
        takePart();
        List<MemberId> longer = new ArrayList<>(members);
        longer.add(group.me());
        pass(new RingToken.Collection(longer));
    }

    private void takeAnnouncement(RingToken.Announcement token) {
        if (token.origin().equals(group.me())) {
            return;
        }
        believe(token.leader());
        if (token.hops() < group.size()) {
            pass(new RingToken.Announcement(token.leader(), token.origin(), token.hops() + 1));
        }
    }

    private void announce(MemberId greatest) {
        believe(greatest);
        pass(new RingToken.Announcement(greatest, group.me(), 1));
    }

    /** A greater member that was passed over does not follow: it begins another election once this one has ended. */
    private void believe(MemberId greatest) {
        electionEndsAt = Step.NEVER;
        int compared = greatest.compareTo(group.me());
        if (compared == 0) {
            lead();
        } else if (compared > 0) {
            follow(greatest);
        } else {
            initiate();
        }
    }

    private void initiate() {
        takePart();
        pass(
                form == RingForm.LIST
                        ? new RingToken.Collection(List.of(group.me()))
                        : new RingToken.Candidature(group.me(), 1));
    }

    /** Each election tries all members anew. */
    private void takePart() {
        if (!isElecting()) {
            dead.clear();
            electionEndsAt = now + timing.announcement().toNanos();
        }
    }

    private boolean isElecting() {
        return electionEndsAt != Step.NEVER;
    }

    /**
     * To the next member that is not known to be dead. Where all others are, it has come round already. A token is dropped while a greater or equal one of its kind waits to be taken: on a slow
     * network each is passed again before its answer comes, and they would multiply.
     */
    private void pass(RingToken token) {
        MemberId to = group.after(group.me());
        while (dead.contains(to)) {
            to = group.after(to);
        }
        if (to.equals(group.me())) {
            take(token);
            return;
        }
        if (passed.values().stream().anyMatch(waiting -> waiting.token().covers(token))) {
            return;
        }
        lastNumber++;
        passed.put(lastNumber, new PassedToken(token, to, now + timing.answer().toNanos()));
        effects.add(new PeerEffect.Send<>(to, new RingMessage.Passed(lastNumber, token)));
    }

    private void lead() {
        if (phase != Phase.LEADER) {
            effects.add(new PeerEffect.BeginLeading<>());
            dueAt = now + timing.heartbeat().toNanos();
        }
        phase = Phase.LEADER;
        leader = Optional.of(group.me());
    }

    private void follow(MemberId next) {
        if (phase == Phase.LEADER) {
            effects.add(new PeerEffect.StopLeading<>());
        }
        if (!leader.equals(Optional.of(next))) {
            effects.add(new PeerEffect.FollowLeader<>(next));
        }
        phase = Phase.FOLLOWER;
        leader = Optional.of(next);
        dueAt = now + timing.silence().toNanos();
    }

    private void beat() {
        group.others().forEach(member -> effects.add(new PeerEffect.Send<>(member, new RingMessage.Heartbeat())));
        dueAt = now + timing.heartbeat().toNanos();
    }
}
