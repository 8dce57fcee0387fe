package dev.incumbent.coordinator.peers;

import dev.incumbent.Transfer;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.internal.Calls;
import dev.incumbent.internal.LeaseClock;
import dev.incumbent.internal.Platform;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Mark;
import dev.incumbent.model.Term;
import dev.incumbent.peers.MemberId;
import dev.incumbent.protocol.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The terms that this member leads: raise the sinks, begin the task, stop it, and tell the machine once nothing of the term runs. Owned by the driver's thread.
 *
 * <p>A term whose sinks cannot be raised is handed over after one lease, and one that lasted less than a lease is not handed over: so nobody is asked to stand many times a second.
 */
final class PeerTerms {
    private final PeerSetup setup;
    private final Platform platform;
    private final LeaseClock clock;
    private final PeerTeller teller;
    private final MemberTurns turns;
    private Optional<PeerTerm> current = Optional.empty();
    private volatile Optional<PeerTaskRun> running = Optional.empty();
    /** A term that waits until the task of the one before has returned. */
    private OptionalLong awaited = OptionalLong.empty();

    private Optional<PendingTransfer> transfer = Optional.empty();
    private final List<CompletableFuture<Void>> resigned = new ArrayList<>();

    /** Who takes the machine's steps. */
    interface MemberTurns {
        MemberMachine machine();

        /** Lets the machine take an event; not within an action of its own. */
        void turn(Consumer<Moment> event);

        /** Runs that on the driver's thread, in its turn. Any thread. */
        void soon(Runnable what);

        /** A term has begun or ended between two events: those who ask see it from now on. */
        void changed();

        /** Nothing of a term is left. */
        void termOver();

        /** Why this member may not lead, though it be elected: it is unhealthy, closes, or takes part no more. */
        Optional<EndReason> barred();

        /** The machine of a bully or a ring takes no part for a while. */
        void standBack();
    }

    private record PendingTransfer(CandidateId successor, CompletableFuture<Transfer> done) {}

    PeerTerms(PeerSetup setup, Platform platform, LeaseClock clock, PeerTeller teller, MemberTurns turns) {
        this.setup = setup;
        this.platform = platform;
        this.clock = clock;
        this.teller = teller;
        this.turns = turns;
    }

    Optional<PeerTerm> current() {
        return current;
    }

    /** The task that runs, if one does. Any thread. */
    Optional<PeerTaskRun> running() {
        return running;
    }

    /** The machine says that this member leads: first the sinks are raised. */
    void begin(long number) {
        if (current.isPresent()) {
            awaited = OptionalLong.of(number);
            return;
        }
        Term term = new Term(setup.election(), number, setup.candidate());
        PeerLeadership leadership =
                new PeerLeadership(setup, term, clock, teller.userCode(), () -> turns.soon(() -> stale(number)));
        PeerTerm begun = new PeerTerm(leadership, setup.sinks().size(), clock.nanos());
        current = Optional.of(begun);
        if (turns.barred().isPresent()) {
            turns.soon(() -> giveUp(turns.barred().orElse(EndReason.RESIGNED)));
        } else if (setup.sinks().isEmpty()) {
            turns.soon(() -> lead(begun));
        } else {
            setup.sinks().forEach(sink -> raise(begun, sink));
        }
    }

    private void raise(PeerTerm term, Sink sink) {
        raising(term, sink)
                .whenComplete((answer, failure) -> turns.soon(() -> {
                    if (failure != null) {
                        unraised(term, sink, Calls.why(failure));
                    } else if (answer instanceof Raise.Raised) {
                        if (term.raised()) {
                            lead(term);
                        }
                    } else if (answer instanceof Raise.Refused refused) {
                        refused(term, sink, refused.inForce());
                    } else {
                        unraised(term, sink, "token " + term.number() + " is too far above its mark: " + answer);
                    }
                }));
    }

    private CompletionStage<Raise> raising(PeerTerm term, Sink sink) {
        return Calls.answered(
                () -> sink.raise(setup.election(), Mark.of(term.leadership().term()), setup.lease()));
    }

    /** The machine passes the mark in its next term. */
    private void refused(PeerTerm term, Sink sink, Mark inForce) {
        teller.trouble("sink " + sink.label() + " refused token " + term.number() + ": its mark is " + inForce);
        if (isCurrent(term)) {
            term.endsFor(EndReason.SUPERSEDED);
            turns.turn(now ->
                    turns.machine().refused(term.number(), inForce.token().value(), now));
        }
    }

    /** Another member may reach the sink. */
    private void unraised(PeerTerm term, Sink sink, String why) {
        teller.trouble("sink " + sink.label() + " could not be raised: " + why);
        long at = platform.timeline().nanos() + setup.lease().toNanos();
        platform.timeline()
                .at(
                        at,
                        () -> turns.soon(() -> {
                            if (isCurrent(term) && !term.hasBegun()) {
                                handOver(term, EndReason.RESIGNED, Optional.empty());
                            }
                        }));
    }

    private boolean isCurrent(PeerTerm term) {
        return !term.isEnded() && current.filter(term::equals).isPresent();
    }

    private void lead(PeerTerm term) {
        Optional<MemberMachine.MemberLead> lead = turns.machine().lead().filter(led -> led.term() == term.number());
        if (!isCurrent(term) || lead.isEmpty()) {
            return;
        }
        term.leadership().extend(lead.get());
        Optional<PeerTaskRun> run = setup.task()
                .map(task -> new PeerTaskRun(
                        setup,
                        term.leadership(),
                        platform,
                        clock,
                        failure -> turns.soon(() -> returned(term, failure))));
        term.begun(run);
        turns.changed();
        teller.granted(term.leadership(), thrown -> turns.soon(() -> listenerThrew(term, thrown)));
        run.ifPresent(task -> start(term, task));
    }

    private void start(PeerTerm term, PeerTaskRun task) {
        try {
            task.start();
            running = Optional.of(task);
        } catch (RuntimeException | Error noThread) {
            turns.soon(() -> returned(term, Optional.of(noThread)));
        }
    }

    /** After each step: the lease may last longer. */
    void stepped() {
        current.filter(term -> term.hasBegun() && !term.isEnded())
                .ifPresent(term -> turns.machine()
                        .lead()
                        .filter(lead -> lead.term() == term.number())
                        .ifPresent(lead -> {
                            if (term.leadership().extend(lead)) {
                                term.run().ifPresent(PeerTaskRun::validityExtended);
                            }
                        }));
    }

    /** The machine says that the task stops. */
    void stop(long number) {
        if (awaited.isPresent() && awaited.getAsLong() == number) {
            awaited = OptionalLong.empty();
            turns.soon(() -> turns.turn(now -> turns.machine().stopped(number, now)));
            return;
        }
        EndReason usual =
                !setup.kind().isSafe() || turns.machine().term() > number ? EndReason.SUPERSEDED : EndReason.LEASE_LOST;
        current.filter(term -> term.number() == number)
                .ifPresent(term -> end(term, term.reason().orElse(usual)));
    }

    /** First the guard says no, then the task is told to stop, and the machine is told once it has. */
    private void end(PeerTerm term, EndReason reason) {
        if (term.isEnded()) {
            return;
        }
        term.endsFor(reason);
        term.ended(clock.nanos());
        if (term.hasBegun()) {
            term.leadership().end(reason);
            turns.changed();
            teller.revoked(term.leadership(), reason);
            term.run().ifPresent(PeerTaskRun::interrupt);
        }
        settle(term);
    }

    private void settle(PeerTerm term) {
        turns.soon(() -> {
            if (term.isOver() && current.filter(term::equals).isPresent()) {
                finished(term);
            }
        });
    }

    private void finished(PeerTerm term) {
        turns.turn(now -> turns.machine().stopped(term.number(), now));
        current = Optional.empty();
        running = Optional.empty();
        transfer.ifPresent(pending -> told(pending, term.reason().orElse(EndReason.LEASE_LOST)));
        transfer = Optional.empty();
        resigned.forEach(one -> teller.userCode().execute(() -> one.complete(null)));
        resigned.clear();
        turns.termOver();
        OptionalLong next = awaited;
        awaited = OptionalLong.empty();
        next.ifPresent(this::begin);
    }

    private void told(PendingTransfer pending, EndReason reason) {
        Transfer result = reason == EndReason.TRANSFERRED
                ? new Transfer.HandedOver(pending.successor())
                : new Transfer.Aborted("the term ended otherwise: " + reason);
        teller.userCode().execute(() -> pending.done().complete(result));
    }

    private void returned(PeerTerm term, Optional<Throwable> failure) {
        term.returned();
        if (term.isEnded()) {
            settle(term);
            return;
        }
        failure.ifPresent(thrown -> teller.failed(term.leadership(), thrown));
        if (failure.isPresent() && failure.get() instanceof StaleTokenException) {
            stale(term.number());
            return;
        }
        EndReason reason = failure.isPresent() ? EndReason.TASK_FAILED : EndReason.RESIGNED;
        handOver(term, reason, Optional.empty());
    }

    /** With a task, the task decides how a term ends. */
    private void listenerThrew(PeerTerm term, Throwable thrown) {
        teller.failed(term.leadership(), thrown);
        if (setup.task().isPresent() || !isCurrent(term)) {
            return;
        }
        if (thrown instanceof StaleTokenException) {
            stale(term.number());
        } else {
            handOver(term, EndReason.TASK_FAILED, Optional.empty());
        }
    }

    /** A sink has refused a write. What its mark is, it says once it is asked to raise it again. */
    private void stale(long number) {
        Optional<PeerTerm> stale = current.filter(term -> term.number() == number && !term.isEnded());
        if (stale.isEmpty()) {
            return;
        }
        PeerTerm term = stale.get();
        setup.sinks().forEach(sink -> {
            term.hold();
            raising(term, sink)
                    .whenComplete((answer, failure) -> turns.soon(() -> {
                        if (failure == null && answer instanceof Raise.Refused refused) {
                            turns.turn(now -> turns.machine()
                                    .refused(number, refused.inForce().token().value(), now));
                        }
                        term.release();
                        settle(term);
                    }));
        });
        end(term, EndReason.SUPERSEDED);
    }

    /** Ends a term, in favour of that member, or else of one that is known to live, if the term has lasted. */
    private void handOver(PeerTerm term, EndReason reason, Optional<MemberId> successor) {
        term.endsFor(reason);
        if (setup.kind().isSafe()) {
            boolean hasLasted = term.hasLasted(clock.nanos(), setup.lease().toNanos());
            successor
                    .or(() -> hasLasted ? turns.machine().successor() : Optional.empty())
                    .ifPresent(next -> turns.turn(now -> turns.machine().transferAsked(next, now)));
        } else {
            turns.standBack();
        }
        end(term, reason);
    }

    /** Ends the term that is led, if any. */
    void giveUp(EndReason reason) {
        current.filter(term -> !term.isEnded())
                .ifPresent(term -> handOver(term, reason, turns.machine().successor()));
    }

    CompletionStage<Void> resign() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        if (current.isEmpty()) {
            teller.userCode().execute(() -> done.complete(null));
        } else {
            resigned.add(done);
            giveUp(EndReason.RESIGNED);
        }
        return done;
    }

    /** Who is dead takes nothing over, and nobody would lead for an election's time. */
    private String unheard(MemberId member) {
        return turns.machine().isHeard(member, clock.moment())
                ? ""
                : member + " has not answered for " + setup.lease().toMillis() + " ms";
    }

    /** {@code member} is the successor's, if it is known. */
    void transfer(CandidateId successor, Optional<MemberId> member, CompletableFuture<Transfer> done) {
        Optional<PeerTerm> led = current.filter(term -> term.hasBegun() && !term.isEnded());
        String why = led.isEmpty()
                ? "this process does not lead"
                : !setup.kind().isSafe()
                        ? "the greatest member leads a " + setup.kind() + ", whatever anybody asks"
                        : member.isEmpty() ? "no member that was heard is " + successor : unheard(member.get());
        if (!why.isEmpty()) {
            led.ifPresent(term -> teller.declined(term.leadership(), successor.value(), why));
            teller.userCode().execute(() -> done.complete(new Transfer.Aborted(why)));
            return;
        }
        transfer = Optional.of(new PendingTransfer(successor, done));
        handOver(led.orElseThrow(), EndReason.TRANSFERRED, member);
    }
}
