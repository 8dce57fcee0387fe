package dev.incumbent.coordinator.peers;

import dev.incumbent.model.EndReason;
import java.util.Optional;

/** One term of this member, from its election until its task has stopped. Owned by the driver's thread. */
final class PeerTerm {
    private final PeerLeadership leadership;
    private final long begunAtNanos;
    private Optional<PeerTaskRun> run = Optional.empty();
    private Optional<EndReason> reason = Optional.empty();
    private int unraised;
    private boolean hasBegun;
    private boolean isEnded;
    private int holds;

    /** {@code unraised} sinks are to be raised first. */
    PeerTerm(PeerLeadership leadership, int unraised, long now) {
        this.leadership = leadership;
        this.unraised = unraised;
        this.begunAtNanos = now;
    }

    PeerLeadership leadership() {
        return leadership;
    }

    long number() {
        return leadership.term().number();
    }

    /** One more sink is raised. Were all? */
    boolean raised() {
        unraised--;
        return unraised == 0;
    }

    void begun(Optional<PeerTaskRun> its) {
        hasBegun = true;
        run = its;
        its.ifPresent(task -> hold());
    }

    Optional<PeerTaskRun> run() {
        return run;
    }

    boolean hasBegun() {
        return hasBegun;
    }

    boolean isEnded() {
        return isEnded;
    }

    void ended() {
        isEnded = true;
    }

    /** Why it ends, where that was said before it did; the first reason counts. */
    Optional<EndReason> reason() {
        return reason;
    }

    void endsFor(EndReason why) {
        reason = reason.or(() -> Optional.of(why));
    }

    boolean hasLasted(long now, long nanos) {
        return now - begunAtNanos >= nanos;
    }

    /** Something must be over before this term is: its task, or a question to a sink. */
    void hold() {
        holds++;
    }

    void release() {
        holds--;
    }

    /** Is nothing of it left? */
    boolean isOver() {
        return isEnded && holds == 0;
    }
}
