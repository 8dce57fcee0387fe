package dev.incumbent.peers.raft;

import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.raft.LedTerm.Task;
import java.util.Optional;

/** What a leader does: it keeps a majority, stops in time, and hands over. */
final class LeaseRules {
    private LeaseRules() {}

    static void elected(RaftStep step) {
        step.role = RaftRole.LEADER;
        step.granted.clear();
        step.led = Optional.of(LedTerm.elected(step.term(), step.now + step.timing.validForNanos()));
        step.dueAt = step.now;
    }

    /** Check-quorum: without a majority that answers, a leader steps down while its task has the time to stop. */
    static void expire(RaftStep step) {
        if (step.role == RaftRole.LEADER && step.now >= stopsAt(step, step.led.orElseThrow())) {
            step.becomeFollower();
        }
    }

    static long stopsAt(RaftStep step, LedTerm held) {
        return held.leaseEndsAtNanos() - step.timing.stopBudget().toNanos();
    }

    /** Sends the next heartbeat. */
    static void pursue(RaftStep step) {
        if (step.now >= step.dueAt) {
            step.sendOthers(new RaftMessage.Heartbeat(
                    step.term(), step.now, step.timing.lease().toNanos()));
            step.dueAt = step.now + step.timing.heartbeat().toNanos();
        }
    }

    /** The first majority begins the task, each further one extends the lease. */
    static void answered(RaftStep step, MemberId from, RaftMessage.HeartbeatTaken taken) {
        if (step.role != RaftRole.LEADER || taken.term() != step.term() || taken.sentAtNanos() > step.now) {
            return;
        }
        LedTerm before = step.led.orElseThrow();
        LedTerm after =
                before.withAnswer(from, taken.sentAtNanos(), step.group.majority() - 1, step.timing.validForNanos());
        step.led = Optional.of(after);
        if (before.task() == Task.WAITS && after.task() == Task.RUNS) {
            step.emit(new RaftEffect.BeginLeading(after.term()));
        }
    }

    /** Stops the task; the lease is kept meanwhile. */
    static void transfer(RaftStep step, MemberId successor) {
        Optional<LedTerm> running = step.led.filter(held -> step.role == RaftRole.LEADER && held.task() == Task.RUNS);
        if (running.isPresent() && step.group.others().contains(successor)) {
            step.emit(new RaftEffect.StopLeading(running.get().term()));
            step.led = Optional.of(running.get().stopping(Optional.of(successor)));
        }
    }

    /** Only now may the successor stand. TimeoutNow may arrive late, so this member leads the term no more. */
    static void stopped(RaftStep step, long term) {
        Optional<LedTerm> ended = step.led.filter(held -> held.term() == term && held.task() != Task.WAITS);
        if (ended.isEmpty()) {
            return;
        }
        if (step.role == RaftRole.LEADER) {
            step.becomeFollower();
            ended.get().successor().ifPresent(next -> step.send(next, new RaftMessage.TimeoutNow(term)));
        }
        step.led = Optional.empty();
    }

    /** The next term of this member is above the mark, and so is every term of those that hear of it. */
    static void refused(RaftStep step, long term, long inForce) {
        if (step.led.filter(held -> held.term() == term).isEmpty()) {
            return;
        }
        if (step.term() <= inForce) {
            step.persist(step.disk().unvoted(Math.addExact(inForce, 1)));
        }
        if (step.role == RaftRole.LEADER) {
            step.becomeFollower();
        }
    }

    /** The leader leads no more. Its term is kept until its task has stopped, and it says TimeoutNow to nobody. */
    static void leave(RaftStep step) {
        LedTerm held = step.led.orElseThrow();
        if (held.task() == Task.RUNS) {
            step.emit(new RaftEffect.StopLeading(held.term()));
        }
        step.led = held.task() == Task.WAITS ? Optional.empty() : Optional.of(held.stopping(Optional.empty()));
    }
}
