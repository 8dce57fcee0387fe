package dev.incumbent.simulation;

import static dev.incumbent.simulation.Canaries.bug;

import dev.incumbent.model.EndReason;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.Role;
import dev.incumbent.protocol.Attempt;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.HeldLease;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import dev.incumbent.simulation.Canaries.Bug;
import dev.incumbent.simulation.Fault.Kind;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Bugs put around the election machine: what it writes into the record, and when. */
final class WritingBugs {
    private WritingBugs() {}

    static List<Bug> all() {
        return Stream.concat(ofVacates().stream(), ofClaims().stream()).toList();
    }

    private static List<Bug> ofVacates() {
        return List.of(
                bug(
                                "vacate-ignores-the-mark",
                                "a vacate writes down the mark that was met",
                                "MarksThatWereMetAreWrittenDown",
                                1,
                                swapping(Attempt.Kind.VACATE, WritingBugs::withoutTheMark))
                        .needing(Kind.STORE_RESTORED),
                bug(
                                "vacates-what-is-anothers",
                                "a term that another holds is its own to end",
                                "OnlyTheOwnerEndsItsTerm",
                                0,
                                Rewriting.around(WritingBugs::vacatesAnothers))
                        .needing(Kind.CUT_THE_LEADER),
                bug(
                                "a-handover-names-nobody",
                                "a handover names its successor",
                                "AHandoverNamesItsSuccessor",
                                0,
                                swapping(Attempt.Kind.VACATE, WritingBugs::withoutTheSuccessor))
                        .needing(Kind.TRANSFER),
                bug(
                                "a-vacate-forgets-its-term",
                                "the history tells every term that began",
                                "EveryTermIsInTheHistory",
                                0,
                                swapping(Attempt.Kind.VACATE, WritingBugs::withoutTheLast))
                        .needing(Kind.RESIGN));
    }

    private static List<Bug> ofClaims() {
        return List.of(
                bug(
                                "a-claim-forgets-the-dead",
                                "whoever claims after the dead writes them into the history",
                                "EveryTermIsInTheHistory",
                                0,
                                swapping(
                                        Attempt.Kind.CLAIM,
                                        (state, next) -> state.record().leader().isPresent()
                                                ? withoutTheLast(state, next)
                                                : next))
                        .needing(Kind.CUT_THE_LEADER),
                bug(
                                "claims-with-a-dying-lease",
                                "a claim that would not be fresh is not made",
                                "WhoeverClaimsCouldLead",
                                0,
                                Rewriting.around(WritingBugs::claimsStale))
                        .needing(Kind.CUT_REPLIES),
                bug(
                                "a-failed-swap-is-sent-at-once",
                                "what failed is tried again a little later",
                                "NobodySpinsTheStore",
                                0,
                                Rewriting.around(WritingBugs::atOnce))
                        .needing(Kind.CALLS_THROW));
    }

    /** What one kind of swap writes instead. */
    interface Written {
        LeaderRecord instead(ElectionState state, LeaderRecord next);
    }

    static Canary swapping(Attempt.Kind kind, Written written) {
        return Rewriting.around((inner, state, event, now) -> {
            Step<ElectionState, Effect> step = inner.step(state, event, now);
            Optional<Attempt> sent = step.state()
                    .attempt()
                    .filter(a -> a.kind() == kind && !step.state().attempt().equals(state.attempt()));
            return sent.isPresent() && step.effects().stream().anyMatch(Effect.SwapRecord.class::isInstance)
                    ? Rewriting.sending(
                            step,
                            sent.get(),
                            written.instead(step.state(), sent.get().next()))
                    : step;
        });
    }

    private static LeaderRecord withoutTheMark(ElectionState state, LeaderRecord next) {
        return Rewriting.withTerm(
                next, Math.max(state.record().term(), state.memory().terms().greatestWon()));
    }

    private static LeaderRecord withoutTheSuccessor(ElectionState state, LeaderRecord next) {
        List<PastTerm> history = next.history();
        boolean transferred =
                !history.isEmpty() && history.get(history.size() - 1).reason() == EndReason.TRANSFERRED;
        return transferred ? next.withRequest(Optional.empty()) : next;
    }

    private static LeaderRecord withoutTheLast(ElectionState state, LeaderRecord next) {
        List<PastTerm> before = state.record().history();
        return Rewriting.withHistory(next, before);
    }

    /** Whoever has lost its term vacates whatever record it sees. */
    private static Step<ElectionState, Effect> vacatesAnothers(
            Machine inner, ElectionState state, Event event, Moment now) {
        Step<ElectionState, Effect> step = inner.step(state, event, now);
        Optional<ObservedRecord> seen = step.state().known().observed();
        boolean left = state.role() == Role.RESIGNING && step.state().role() != Role.RESIGNING;
        if (!left || seen.isEmpty() || seen.get().record().leader().isEmpty()) {
            return step;
        }
        long term = state.tenure().orElseThrow().term().number();
        LeaderRecord vacant = seen.get().record().vacated(0, now.wall());
        String nonce = state.tenure().get().term().leader().id() + ":v" + term;
        return Rewriting.adding(step, new Effect.SwapRecord(seen.get().revision(), vacant.written(nonce)));
    }

    private static Step<ElectionState, Effect> atOnce(Machine inner, ElectionState state, Event event, Moment now) {
        Step<ElectionState, Effect> step = inner.step(state, event, now);
        if (!(event instanceof Event.SwapFailed)) {
            return step;
        }
        ElectionState next = Rewriting.withSwapAt(step.state(), Long.MIN_VALUE);
        return Rewriting.fed(inner, new Step<>(next, step.effects(), step.wakeAtNanos()), new Event.Woken(), now);
    }

    /** A candidate takes its lease for renewed just now. */
    private static Step<ElectionState, Effect> claimsStale(
            Machine inner, ElectionState state, Event event, Moment now) {
        if (state.role() != Role.CANDIDATE
                || event instanceof Event.LeaseRenewed
                || state.lease().isEmpty()) {
            return inner.step(state, event, now);
        }
        HeldLease real = state.lease().get();
        Step<ElectionState, Effect> step = inner.step(Rewriting.withLeaseSentAt(state, now.nanos()), event, now);
        boolean same =
                step.state().lease().filter(l -> l.id().equals(real.id())).isPresent();
        return same
                ? new Step<>(
                        Rewriting.withLeaseSentAt(step.state(), real.sentAtNanos()), step.effects(), step.wakeAtNanos())
                : step;
    }
}
