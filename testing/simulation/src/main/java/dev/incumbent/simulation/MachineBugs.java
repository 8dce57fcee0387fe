package dev.incumbent.simulation;

import static dev.incumbent.simulation.Canaries.UNFENCED;
import static dev.incumbent.simulation.Canaries.bug;

import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.model.Role;
import dev.incumbent.model.Timing;
import dev.incumbent.protocol.Attempt;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import dev.incumbent.simulation.Canaries.Bug;
import dev.incumbent.simulation.Fault.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Bugs put around the election machine: an event, an effect or the next state is rewritten. */
final class MachineBugs {
    private MachineBugs() {}

    static List<Bug> all() {
        List<Bug> all = new ArrayList<>();
        all.addAll(ofValidity());
        all.addAll(ofEndings());
        all.addAll(ofClaims());
        all.addAll(ofFreezesAndSinks());
        return all;
    }

    /** What validity rests on. */
    private static List<Bug> ofValidity() {
        return List.of(
                bug(
                        "lead-unraised",
                        "raise, then lead",
                        "NothingStaleAfterTheRaise",
                        1,
                        Rewriting.after(MachineBugs::raisedUnasked)),
                bug(
                        "validity-from-reply",
                        "validity counts from the sending, never from the reply",
                        "NoGuardOutlastsItsLease",
                        0,
                        Rewriting.events(MachineBugs::sentNow)),
                bug(
                        "validity-for-ever",
                        "a term ends when its validity does",
                        "NoGuardOutlastsItsLease",
                        0,
                        Rewriting.states(MachineBugs::leaseAlwaysFresh)),
                bug(
                        "no-margin",
                        "the margin and the drift bound cover both clocks",
                        "NoGuardOutlastsItsLease",
                        0,
                        Rewriting.events(MachineBugs::withoutMargin)),
                bug(
                                "no-proof-needed",
                                "a leadership needs a fresh proof that the record names it",
                                "SupersededStopsInTime",
                                1,
                                Rewriting.around(MachineBugs::provenUnasked))
                        .needing(Kind.SUSPECT));
    }

    /** How a term ends. */
    private static List<Bug> ofEndings() {
        return List.of(
                bug(
                        "vacate-under-the-task",
                        "wait for the task, then vacate",
                        "NoUnfencedVacancyWhileTheTaskRuns",
                        UNFENCED,
                        Rewriting.after(MachineBugs::returnedUnasked)),
                bug(
                        "no-interrupt",
                        "a term that is over interrupts its task",
                        "TasksAreSoonToldToStop",
                        0,
                        Rewriting.without(Effect.InterruptTask.class)),
                bug(
                                "end-untold",
                                "begin and end are told in pairs",
                                "NoLeaderBeyondItsLease",
                                0,
                                Rewriting.without(Effect.EndTerm.class))
                        .needing(Kind.RESIGN),
                bug(
                                "end-told-twice",
                                "an end is told once",
                                "CallbacksArePaired",
                                0,
                                Rewriting.after(MachineBugs::endAgain))
                        .needing(Kind.RESIGN),
                bug(
                        "session-never-ends",
                        "a task that will not stop ends its session",
                        "SomeoneLeadsOnceFaultsCease",
                        UNFENCED,
                        Rewriting.without(Effect.EndSession.class)),
                bug(
                                "old-task-forgotten",
                                "whose old task still runs does not stand",
                                "CallbacksArePaired",
                                1,
                                Rewriting.after(MachineBugs::returnedOnceStalled))
                        .needing(Kind.STUBBORN_TASK));
    }

    /** What a claim is settled by, and its number. */
    private static List<Bug> ofClaims() {
        return List.of(
                bug(
                                "uncertain-is-won",
                                "an uncertain swap is settled by a read",
                                "NoLeaderBeyondItsLease",
                                0,
                                Rewriting.events(MachineBugs::uncertainIsAccepted))
                        .needing(Kind.LOSSY),
                bug(
                                "no-disown",
                                "who sees itself named for a term it does not hold vacates it",
                                "SomeoneLeadsOnceFaultsCease",
                                0,
                                Rewriting.after(MachineBugs::withoutDisown))
                        .needing(Kind.STORE_RESTORED, Kind.RESIGN),
                bug(
                                "forgets-what-it-won",
                                "a number is above all I ever won",
                                "TermsNeverRepeat",
                                1,
                                Rewriting.states(MachineBugs::forgetsWhatItWon))
                        .needing(Kind.STORE_RESTORED),
                bug(
                                "any-nonce-will-do",
                                "mine only if it bears my attempt's nonce and my current lease",
                                "TermsNeverRepeat",
                                1,
                                Rewriting.around(MachineBugs::namedIsWon))
                        .needing(Kind.STORE_RESTORED),
                bug(
                        "claims-the-living",
                        "a live lease is not claimed",
                        "OnlyTheOwnerEndsItsTerm",
                        0,
                        Rewriting.events(MachineBugs::seenDead)),
                bug(
                        "same-number-again",
                        "a claim's number is greater than any before",
                        "TermsNeverRepeat",
                        1,
                        Rewriting.around(MachineBugs::sameNumber)));
    }

    /** Freezes, and the set of sinks. */
    private static List<Bug> ofFreezesAndSinks() {
        return List.of(
                bug(
                                "deaf-to-the-flag",
                                "nobody leads a frozen election",
                                "OnlyAThawPassesAFreeze",
                                UNFENCED,
                                Rewriting.events(MachineBugs::unfrozen))
                        .needing(Kind.FREEZE),
                bug(
                                "vacate-drops-the-flag",
                                "every vacate keeps the flag",
                                "OnlyAThawPassesAFreeze",
                                0,
                                Rewriting.effects(MachineBugs::dropsTheFlag))
                        .needing(Kind.FREEZE),
                bug(
                                "forgotten-freeze-stays-forgotten",
                                "refused by a freeze's mark: set the flag again",
                                "OnlyAThawPassesAFreeze",
                                1,
                                Rewriting.effects(MachineBugs::dropsTheFlag))
                        .needing(Kind.FREEZE, Kind.STORE_RESTORED),
                bug(
                                "marks-unread",
                                "a leader reads its marks again, and raises again",
                                "SinksTakeItsWrites",
                                1,
                                Rewriting.events(MachineBugs::markUnread))
                        .needing(Kind.SINK_BACK),
                bug(
                                "stands-without-the-sinks",
                                "who lacks a sink of the record does not stand",
                                "NothingStaleAfterTheRaise",
                                2,
                                Rewriting.events(MachineBugs::sinksUnseen))
                        .needing(Kind.ROLLING),
                bug(
                                "new-sink-unrecorded",
                                "a new sink enters the record before the task begins",
                                "NothingStaleAfterTheRaise",
                                2,
                                Rewriting.around(MachineBugs::addUnsent))
                        .needing(Kind.ROLLING));
    }

    private static Step<ElectionState, Effect> raisedUnasked(
            Machine inner, Step<ElectionState, Effect> step, Moment now) {
        Step<ElectionState, Effect> next = step;
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.RaiseMark raise && step.state().role() == Role.FENCING) {
                next = Rewriting.fed(
                        inner, Rewriting.dropping(next, raise), new Event.MarkRaised(raise.sink(), raise.mark()), now);
            }
        }
        return next;
    }

    private static Step<ElectionState, Effect> returnedUnasked(
            Machine inner, Step<ElectionState, Effect> step, Moment now) {
        return step.effects().stream()
                .filter(Effect.InterruptTask.class::isInstance)
                .findFirst()
                .map(e -> ((Effect.InterruptTask) e).term().number())
                .map(term -> Rewriting.fed(inner, step, new Event.TaskReturned(term, Event.TaskOutcome.RETURNED), now))
                .orElse(step);
    }

    static Step<ElectionState, Effect> returnedOnceStalled(
            Machine inner, Step<ElectionState, Effect> step, Moment now) {
        boolean stalled = step.state()
                .tenure()
                .filter(t -> t.ending().stalled() && t.task().runs())
                .isPresent();
        return stalled
                ? Rewriting.fed(
                        inner,
                        step,
                        new Event.TaskReturned(
                                step.state().tenure().orElseThrow().term().number(), Event.TaskOutcome.RETURNED),
                        now)
                : step;
    }

    private static Step<ElectionState, Effect> endAgain(Machine inner, Step<ElectionState, Effect> step, Moment now) {
        return step.effects().stream()
                .filter(Effect.EndTerm.class::isInstance)
                .findFirst()
                .map(end -> Rewriting.adding(step, end))
                .orElse(step);
    }

    private static Event sentNow(ElectionState state, Event event, Moment now) {
        if (event instanceof Event.LeaseRenewed e) {
            return new Event.LeaseRenewed(e.lease(), now.nanos());
        }
        return event instanceof Event.RecordObserved e ? new Event.RecordObserved(e.observed(), now.nanos()) : event;
    }

    private static ElectionState leaseAlwaysFresh(ElectionState state, Moment now) {
        return Rewriting.withLeaseSentAt(Rewriting.withProofAt(state, now.nanos()), now.nanos());
    }

    private static Event uncertainIsAccepted(ElectionState state, Event event, Moment now) {
        return event instanceof Event.SwapUncertain e
                ? new Event.SwapAccepted(e.nonce(), new Revision(e.nonce()))
                : event;
    }

    private static Step<ElectionState, Effect> withoutDisown(
            Machine inner, Step<ElectionState, Effect> step, Moment now) {
        boolean disowning = step.state()
                .attempt()
                .filter(a -> a.kind() == Attempt.Kind.DISOWN)
                .isPresent();
        return disowning ? Rewriting.withoutSwap(step, Rewriting.withAttempt(step.state(), Optional.empty())) : step;
    }

    private static ElectionState forgetsWhatItWon(ElectionState state, Moment now) {
        return Rewriting.withGreatestWon(state, 0);
    }

    /** A record that names me is taken for the answer to my claim. */
    private static Step<ElectionState, Effect> namedIsWon(Machine inner, ElectionState state, Event event, Moment now) {
        if (event instanceof Event.RecordObserved e
                && state.role() == Role.CANDIDATE
                && state.attempt().isEmpty()) {
            LeaderRecord record = e.observed().record();
            boolean mine = record.leader()
                            .filter(l -> state.memory().nonces() > 0
                                    && record.nonce().startsWith(l.id() + ":"))
                            .isPresent()
                    && state.lease()
                            .filter(l -> record.lease().equals(Optional.of(l.id())))
                            .isPresent();
            if (mine) {
                Attempt attempt = new Attempt(
                        Attempt.Kind.CLAIM, e.observed().revision(), record, e.sentAtNanos(), e.sentAtNanos());
                return inner.step(Rewriting.withAttempt(state, Optional.of(attempt)), event, now);
            }
        }
        return inner.step(state, event, now);
    }

    private static Step<ElectionState, Effect> provenUnasked(
            Machine inner, ElectionState state, Event event, Moment now) {
        boolean leads = state.role() == Role.LEADER;
        boolean speaks = event instanceof Event.RecordObserved
                || event instanceof Event.RecordChanged
                || event instanceof Event.MarkRead
                || event instanceof Event.TokenRefused;
        Step<ElectionState, Effect> step = inner.step(state, leads && speaks ? new Event.Woken() : event, now);
        ElectionState next = step.state();
        return new Step<>(
                next.role() == Role.LEADER ? Rewriting.withProofAt(next, now.nanos()) : next,
                step.effects(),
                step.wakeAtNanos());
    }

    private static Event unfrozen(ElectionState state, Event event, Moment now) {
        return Rewriting.records(event, record -> record.withFreeze(Optional.empty()));
    }

    private static Effect dropsTheFlag(ElectionState state, Effect effect) {
        boolean vacating = state.attempt()
                .filter(a -> a.kind() == Attempt.Kind.VACATE || a.kind() == Attempt.Kind.DISOWN)
                .isPresent();
        return vacating && effect instanceof Effect.SwapRecord swap
                ? new Effect.SwapRecord(swap.expected(), swap.next().withFreeze(Optional.empty()))
                : effect;
    }

    private static Event seenDead(ElectionState state, Event event, Moment now) {
        return event instanceof Event.RecordObserved e && state.role() == Role.CANDIDATE
                ? new Event.RecordObserved(
                        new ObservedRecord(e.observed().record(), e.observed().revision(), false, Optional.empty()),
                        e.sentAtNanos())
                : event;
    }

    /** The claim writes the record's own term again. */
    private static Step<ElectionState, Effect> sameNumber(Machine inner, ElectionState state, Event event, Moment now) {
        Event told = Rewriting.records(event, record -> record);
        Step<ElectionState, Effect> step = inner.step(state, told, now);
        Optional<Attempt> claim = step.state()
                .attempt()
                .filter(a -> a.kind() == Attempt.Kind.CLAIM
                        && a.next().term() > 1
                        && state.attempt().isEmpty());
        if (claim.isEmpty()) {
            return step;
        }
        LeaderRecord lower =
                Rewriting.withTerm(claim.get().next(), claim.get().next().term() - 1);
        Attempt attempt = new Attempt(
                Attempt.Kind.CLAIM,
                claim.get().expected(),
                lower,
                claim.get().sentAtNanos(),
                claim.get().uncertainAtNanos());
        ElectionState next = Rewriting.withAttempt(step.state(), Optional.of(attempt));
        return Rewriting.adding(Rewriting.withoutSwap(step, next), new Effect.SwapRecord(attempt.expected(), lower));
    }

    private static Event markUnread(ElectionState state, Event event, Moment now) {
        return event instanceof Event.MarkRead ? new Event.Woken() : event;
    }

    private static Event sinksUnseen(ElectionState state, Event event, Moment now) {
        return Rewriting.records(event, record -> record.withSinks(Map.of()));
    }

    /** The swap that records new sinks is said to be done, and is not sent. */
    private static Step<ElectionState, Effect> addUnsent(Machine inner, ElectionState state, Event event, Moment now) {
        Step<ElectionState, Effect> step = inner.step(state, event, now);
        Optional<Attempt> add = step.state().attempt().filter(a -> a.kind() == Attempt.Kind.ADD_SINKS);
        if (add.isEmpty()) {
            return step;
        }
        Step<ElectionState, Effect> unsent = Rewriting.withoutSwap(step, step.state());
        return Rewriting.fed(
                inner,
                unsent,
                new Event.SwapAccepted(add.get().next().nonce(), add.get().expected()),
                now);
    }

    /** Both clocks trusted to the nanosecond: all is dated later by what the margin and the drift bound take off. */
    private static Event withoutMargin(ElectionState state, Event event, Moment now) {
        if (event instanceof Event.LeaseGranted e) {
            return new Event.LeaseGranted(e.lease(), e.timeToLive(), e.sentAtNanos() + kept(e.timeToLive()));
        }
        long kept = state.lease().map(lease -> kept(lease.timeToLive())).orElse(0L);
        if (event instanceof Event.LeaseRenewed e) {
            return new Event.LeaseRenewed(e.lease(), e.sentAtNanos() + kept);
        }
        if (event instanceof Event.WatchProved e) {
            return new Event.WatchProved(e.sentAtNanos() + kept);
        }
        return event instanceof Event.RecordObserved e
                ? new Event.RecordObserved(e.observed(), e.sentAtNanos() + kept)
                : event;
    }

    private static long kept(Duration lease) {
        return lease.minus(Timing.ofLease(lease).validFor()).toNanos();
    }
}
