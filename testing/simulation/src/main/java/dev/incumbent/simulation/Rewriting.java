package dev.incumbent.simulation;

import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.PastTerm;
import dev.incumbent.protocol.Attempt;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionProtocol;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.HeldLease;
import dev.incumbent.protocol.Known;
import dev.incumbent.protocol.Memory;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Setup;
import dev.incumbent.protocol.Step;
import dev.incumbent.protocol.Tenure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Ways to put a bug around the pure step. The shipped machine carries no switch for any of them. */
final class Rewriting {
    private Rewriting() {}

    /** Steps otherwise. */
    interface Around {
        Step<ElectionState, Effect> step(Machine inner, ElectionState state, Event event, Moment now);
    }

    /** Rewrites what was answered. */
    interface After {
        Step<ElectionState, Effect> step(Machine inner, Step<ElectionState, Effect> step, Moment now);
    }

    /** Rewrites what is heard. */
    interface Hearing {
        Event event(ElectionState state, Event event, Moment now);
    }

    /** Rewrites what is known. */
    interface Knowing {
        ElectionState state(ElectionState state, Moment now);
    }

    /** Rewrites what is done; the state is the one after the step. */
    interface Doing {
        Effect effect(ElectionState state, Effect effect);
    }

    static Canary around(Around bug) {
        return new Canary() {
            @Override
            public Machine machine(Setup setup) {
                Machine inner = new ElectionProtocol(setup)::step;
                return (state, event, now) -> bug.step(inner, state, event, now);
            }
        };
    }

    static Canary after(After bug) {
        return around((inner, state, event, now) -> bug.step(inner, inner.step(state, event, now), now));
    }

    static Canary events(Hearing bug) {
        return around((inner, state, event, now) -> inner.step(state, bug.event(state, event, now), now));
    }

    static Canary states(Knowing bug) {
        return around((inner, state, event, now) -> {
            Step<ElectionState, Effect> step = inner.step(bug.state(state, now), event, now);
            return new Step<>(bug.state(step.state(), now), step.effects(), step.wakeAtNanos());
        });
    }

    static Canary effects(Doing bug) {
        return after((inner, step, now) -> mapped(step, effect -> bug.effect(step.state(), effect)));
    }

    static Canary without(Class<? extends Effect> kind) {
        return after((inner, step, now) -> without(step, kind));
    }

    static Step<ElectionState, Effect> without(Step<ElectionState, Effect> step, Class<? extends Effect> kind) {
        List<Effect> left =
                step.effects().stream().filter(e -> !kind.isInstance(e)).toList();
        return new Step<>(step.state(), left, step.wakeAtNanos());
    }

    static Step<ElectionState, Effect> mapped(Step<ElectionState, Effect> step, UnaryOperator<Effect> otherwise) {
        return new Step<>(step.state(), step.effects().stream().map(otherwise).toList(), step.wakeAtNanos());
    }

    static Step<ElectionState, Effect> dropping(Step<ElectionState, Effect> step, Effect effect) {
        List<Effect> left = new ArrayList<>(step.effects());
        left.remove(effect);
        return new Step<>(step.state(), left, step.wakeAtNanos());
    }

    static Step<ElectionState, Effect> adding(Step<ElectionState, Effect> step, Effect effect) {
        List<Effect> more = new ArrayList<>(step.effects());
        more.add(effect);
        return new Step<>(step.state(), more, step.wakeAtNanos());
    }

    static Step<ElectionState, Effect> withoutSwap(Step<ElectionState, Effect> step, ElectionState state) {
        return new Step<>(state, without(step, Effect.SwapRecord.class).effects(), step.wakeAtNanos());
    }

    /** One more event at once, its effects after those before. */
    static Step<ElectionState, Effect> fed(Machine inner, Step<ElectionState, Effect> step, Event event, Moment now) {
        Step<ElectionState, Effect> second = inner.step(step.state(), event, now);
        List<Effect> both = new ArrayList<>(step.effects());
        both.addAll(second.effects());
        return new Step<>(second.state(), both, second.wakeAtNanos());
    }

    /** The event with its record rewritten, where it has one. */
    static Event records(Event event, UnaryOperator<LeaderRecord> otherwise) {
        if (event instanceof Event.RecordObserved e) {
            return new Event.RecordObserved(observed(e.observed(), otherwise), e.sentAtNanos());
        }
        if (event instanceof Event.RecordChanged e) {
            return new Event.RecordChanged(observed(e.observed(), otherwise));
        }
        return event instanceof Event.SwapRefused e
                ? new Event.SwapRefused(e.nonce(), e.current().map(current -> observed(current, otherwise)))
                : event;
    }

    private static ObservedRecord observed(ObservedRecord told, UnaryOperator<LeaderRecord> otherwise) {
        return new ObservedRecord(
                otherwise.apply(told.record()), told.revision(), told.leaseAlive(), told.leaseRemaining());
    }

    /** The step's swap, writing something else. */
    static Step<ElectionState, Effect> sending(Step<ElectionState, Effect> step, Attempt sent, LeaderRecord instead) {
        Attempt other = new Attempt(sent.kind(), sent.expected(), instead, sent.sentAtNanos(), sent.uncertainAtNanos());
        Step<ElectionState, Effect> silent = withoutSwap(step, withAttempt(step.state(), Optional.of(other)));
        return adding(silent, new Effect.SwapRecord(sent.expected(), instead));
    }

    static ElectionState withSpeaksFrom(ElectionState s, long nanos) {
        Known k = s.known();
        return withKnown(s, new Known(k.observed(), k.watched(), nanos, k.vacancy(), k.questions(), k.notBefore()));
    }

    static ElectionState withSwapAt(ElectionState s, long nanos) {
        Known k = s.known();
        Known.NotBefore next = new Known.NotBefore(
                k.notBefore().readAtNanos(),
                nanos,
                k.notBefore().featuresAtNanos(),
                k.notBefore().movesAtNanos());
        return withKnown(
                s, new Known(k.observed(), k.watched(), k.speaksFromNanos(), k.vacancy(), k.questions(), next));
    }

    private static ElectionState withKnown(ElectionState s, Known known) {
        return new ElectionState(s.role(), s.standing(), s.lease(), known, s.tenure(), s.attempt(), s.memory());
    }

    static LeaderRecord withHistory(LeaderRecord r, List<PastTerm> history) {
        return new LeaderRecord(
                r.term(),
                r.leader(),
                r.lease(),
                r.leaseLength(),
                r.since(),
                r.request(),
                r.planned(),
                r.moved(),
                r.freeze(),
                r.cordons(),
                r.sinks(),
                r.retiredSinks(),
                r.requires(),
                r.holders(),
                r.nonce(),
                history,
                r.unknown());
    }

    static ElectionState withAttempt(ElectionState s, Optional<Attempt> attempt) {
        return new ElectionState(s.role(), s.standing(), s.lease(), s.known(), s.tenure(), attempt, s.memory());
    }

    static ElectionState withLeaseSentAt(ElectionState s, long nanos) {
        Optional<HeldLease> fresh = s.lease().map(l -> new HeldLease(l.id(), l.timeToLive(), nanos, l.ending()));
        return new ElectionState(s.role(), s.standing(), fresh, s.known(), s.tenure(), s.attempt(), s.memory());
    }

    static ElectionState withProofAt(ElectionState s, long nanos) {
        Optional<Tenure> proven = s.tenure()
                .map(t -> new Tenure(
                        t.won(), nanos, t.holding(), t.sinks(), t.task(), t.handover(), t.ending(), t.inJeopardy()));
        return new ElectionState(s.role(), s.standing(), s.lease(), s.known(), proven, s.attempt(), s.memory());
    }

    static ElectionState withGreatestWon(ElectionState s, long number) {
        Memory m = s.memory();
        Memory.Terms terms =
                new Memory.Terms(number, m.terms().greatestMet(), m.terms().heard());
        Memory next = new Memory(terms, m.nonces(), m.unsettled(), m.patience(), m.healings());
        return new ElectionState(s.role(), s.standing(), s.lease(), s.known(), s.tenure(), s.attempt(), next);
    }

    static LeaderRecord withTerm(LeaderRecord r, long term) {
        return new LeaderRecord(
                term,
                r.leader(),
                r.lease(),
                r.leaseLength(),
                r.since(),
                r.request(),
                r.planned(),
                r.moved(),
                r.freeze(),
                r.cordons(),
                r.sinks(),
                r.retiredSinks(),
                r.requires(),
                r.holders(),
                r.nonce(),
                r.history(),
                r.unknown());
    }
}
