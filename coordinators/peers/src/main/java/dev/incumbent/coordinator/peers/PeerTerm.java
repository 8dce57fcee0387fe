package dev.incumbent.coordinator.peers;

import dev.incumbent.model.EndReason;
import java.util.Optional;
import java.util.OptionalLong;

/** One term of this member, from its election until its task has stopped. Owned by the driver's thread. */
final class PeerTerm {
    private final PeerLeadership leadership;
    private final long begunAtNanos;
    private Optional<PeerTaskRun> run = Optional.empty();
    private Optional<EndReason> reason = Optional.empty();
    private int unraised;
    private boolean hasBegun;
    private OptionalLong endedAtNanos = OptionalLong.empty();
    private boolean isRunning;
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
        isRunning = its.isPresent();
        its.ifPresent(task -> hold());
    }

    /** Its task has. */
    void returned() {
        isRunning = false;
        release();
    }

    /** Since when its task has been told to stop, while it has not returned. */
    OptionalLong stopsSince() {
        return isRunning ? endedAtNanos : OptionalLong.empty();
    }

    Optional<PeerTaskRun> run() {
        return run;
    }

    boolean hasBegun() {
        return hasBegun;
    }

    boolean isEnded() {
        return endedAtNanos.isPresent();
    }

    void ended(long now) {
        endedAtNanos = OptionalLong.of(now);
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
        return isEnded() && holds == 0;
    }
}
