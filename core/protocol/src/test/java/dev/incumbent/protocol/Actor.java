package dev.incumbent.protocol;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.HolderProof;
import dev.incumbent.model.Timing;
import dev.incumbent.protocol.Event.TaskOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** One process of a play: the real machine, and what it has asked that is not answered yet. */
final class Actor {
    static final long MILLI = 1_000_000;
    static final Timing TIMING = new Timing(
            Duration.ofSeconds(6),
            Duration.ofSeconds(2),
            Duration.ofMillis(500),
            Duration.ofMillis(700),
            Duration.ofMillis(300),
            0,
            Duration.ofMillis(100));

    /** What was asked, when, and how it was served; given up once the machine was told that nothing is known. */
    private record Asked(Effect effect, long atNanos, Optional<Event> served, boolean givenUp) {}

    final CandidateId id;
    private final ElectionProtocol protocol;
    private final StringBuilder out;
    private final List<Asked> asked = new ArrayList<>();
    private ElectionState state = ElectionState.START;
    private long wakeAt = Step.NEVER;
    private long wallAhead;
    private long begun;
    private long ended;

    Actor(Setup setup, StringBuilder out) {
        id = setup.candidate().id();
        protocol = new ElectionProtocol(setup);
        this.out = out;
    }

    ElectionState state() {
        return state;
    }

    /** Somebody sets its wall clock, which shows the play's time before. */
    void setWall(long aheadNanos) {
        wallAhead = aheadNanos;
    }

    boolean waits() {
        return asked.stream().anyMatch(a -> !a.givenUp());
    }

    /** Steps the machine, twice, for equal steps; and writes what it was told, what it answers and what it is. */
    void step(Event event, long now, Play play) {
        Moment moment = new Moment(now, Instant.EPOCH.plusNanos(now + wallAhead));
        Step<ElectionState, Effect> step = protocol.step(state, event, moment);
        check(step.equals(protocol.step(state, event, moment)), "one event, two different steps");
        check(step.wakeAtNanos() > now, "it asks to be woken in the past");
        String late = now - wakeAt > MILLI ? ", woken " + Line.millis(now - wakeAt) + " ms late" : "";
        out.append("    < ").append(Line.of(event)).append(late).append('\n');
        state = step.state();
        wakeAt = step.wakeAtNanos();
        for (Effect effect : step.effects()) {
            out.append("    > ").append(Line.of(effect)).append('\n');
            perform(effect, now, play);
        }
        long until = state.validUntilNanos(protocol.setup().timing());
        out.append("    = ")
                .append(state.role())
                .append(state.tenure()
                        .map(t -> " of " + t.term().number()
                                + (until < 0 ? ", invalid" : ", valid to " + Line.millis(until)))
                        .orElse(""))
                .append(state.isSettled(protocol.setup().candidate().id()) ? ", settled" : "")
                .append(wakeAt == Step.NEVER ? "" : ", wakes at " + Line.millis(wakeAt))
                .append('\n');
    }

    private void perform(Effect effect, long now, Play play) {
        if (effect instanceof Effect.WithdrawCandidate w) {
            play.store = play.store.withdrawing(w.candidate());
        } else if (effect instanceof Effect.BeginTerm b) {
            check(begun == ended && b.term().number() > begun, "a term begins before the last one's end was told");
            begun = b.term().number();
        } else if (effect instanceof Effect.EndTerm e) {
            check(begun != ended && e.term().number() == begun, "a term ends that has not begun, or twice");
            ended = begun;
        } else if (isQuestion(effect)) {
            check(
                    asked.stream().noneMatch(a -> !a.givenUp() && a.effect().equals(effect)),
                    "it asks again what is not answered yet");
            asked.add(new Asked(effect, now, Optional.empty(), false));
        }
    }

    private static boolean isQuestion(Effect effect) {
        return effect instanceof Effect.ReadRecord
                || effect instanceof Effect.SwapRecord
                || effect instanceof Effect.EnlistCandidate
                || effect instanceof Effect.ListCandidates
                || effect instanceof Effect.RaiseMark
                || effect instanceof Effect.ReadMark
                || effect instanceof Effect.FenceHolder;
    }

    /** The oldest question of that kind, {@code late} being one that was given up. */
    private Asked find(String kind) {
        return asked.stream()
                .filter(a -> kind.equals("late") ? a.givenUp() : !a.givenUp() && kind.equals(kindOf(a.effect())))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(id + " waits for no " + kind + " but for " + asked));
    }

    private static String kindOf(Effect effect) {
        if (effect instanceof Effect.RaiseMark raise) {
            return "raise " + raise.sink();
        } else if (effect instanceof Effect.ReadMark read) {
            return "mark " + read.sink();
        } else if (effect instanceof Effect.FenceHolder fence) {
            return "fence " + fence.holder().term();
        }
        String name = effect.getClass().getSimpleName();
        return name.replaceAll("(?<=[a-z])[A-Z].*", "").toLowerCase(Locale.ROOT);
    }

    /** The store or the sink does what was asked, and the answer is not there yet. A second time, it is asked again: the client has sent twice. */
    void serve(String kind, Play play) {
        Asked found = find(kind);
        Optional<Event> answer = Optional.of(answer(found, play));
        asked.set(asked.indexOf(found), new Asked(found.effect(), found.atNanos(), answer, found.givenUp()));
    }

    void answer(String kind, long now, Play play) {
        if (find(kind).served().isEmpty()) {
            serve(kind, play);
        }
        Asked found = find(kind);
        asked.remove(found);
        step(found.served().orElseThrow(), now, play);
    }

    /** The next question, whichever it is. */
    void answerNext(long now, Play play) {
        Asked next = asked.stream().filter(a -> !a.givenUp()).findFirst().orElseThrow();
        answer(kindOf(next.effect()), now, play);
    }

    /** No answer in time; what was asked may still be done, or has been. */
    void giveUp(String kind, String why, long now, Play play) {
        Asked found = find(kind);
        asked.set(asked.indexOf(found), new Asked(found.effect(), found.atNanos(), found.served(), true));
        step(unknown(found, why), now, play);
    }

    /** It surely was not done. */
    void fail(String kind, String why, long now, Play play) {
        Asked found = find(kind);
        asked.remove(found);
        Event event = found.effect() instanceof Effect.SwapRecord swap
                ? new Event.SwapFailed(swap.next().nonce())
                : unknown(found, why);
        step(event, now, play);
    }

    private static Event answer(Asked question, Play play) {
        Effect effect = question.effect();
        if (effect instanceof Effect.SwapRecord swap) {
            if (!play.store.accepts(swap.expected())) {
                return new Event.SwapRefused(swap.next().nonce(), Optional.of(play.store.observed()));
            }
            play.store = play.store.with(swap.next());
            return new Event.SwapAccepted(swap.next().nonce(), TinyStore.revision(swap.next()));
        } else if (effect instanceof Effect.EnlistCandidate enlist) {
            play.store = play.store.enlisting(enlist.candidate(), enlist.atEnd());
            return new Event.CandidateEnlisted();
        } else if (effect instanceof Effect.ListCandidates) {
            return new Event.CandidatesListed(play.store.line(), question.atNanos());
        } else if (effect instanceof Effect.RaiseMark raise) {
            play.store = play.store.raising(raise.sink(), raise.mark());
            var force = play.store.mark(raise.sink()).orElseThrow();
            return force.equals(raise.mark())
                    ? new Event.MarkRaised(raise.sink(), raise.mark())
                    : new Event.MarkRefused(raise.sink(), raise.mark(), force);
        }
        if (effect instanceof Effect.FenceHolder fence) {
            HolderProof off = new HolderProof(HolderProof.Kind.OFF, "agent", "", Instant.EPOCH);
            return new Event.HolderFenced(fence.holder().term(), off);
        }
        return effect instanceof Effect.ReadMark read
                ? new Event.MarkRead(read.sink(), play.store.mark(read.sink()), question.atNanos())
                : new Event.RecordObserved(play.store.observed(), question.atNanos());
    }

    private static Event unknown(Asked question, String why) {
        Effect effect = question.effect();
        if (effect instanceof Effect.SwapRecord swap) {
            return new Event.SwapUncertain(swap.next().nonce());
        } else if (effect instanceof Effect.EnlistCandidate) {
            return new Event.EnlistFailed(why);
        } else if (effect instanceof Effect.ListCandidates) {
            return new Event.CandidatesUnlisted(why);
        } else if (effect instanceof Effect.RaiseMark raise) {
            return new Event.MarkUnraised(raise.sink(), raise.mark(), why);
        } else if (effect instanceof Effect.FenceHolder fence) {
            return new Event.HolderUnfenced(fence.holder().term(), why);
        }
        return effect instanceof Effect.ReadMark read
                ? new Event.MarkUnread(read.sink(), why, question.atNanos())
                : new Event.RecordUnread(why);
    }

    Event returned(TaskOutcome how) {
        return new Event.TaskReturned(begun, how);
    }

    Event refusedToken() {
        return new Event.TokenRefused(begun);
    }

    private void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(id + ": " + otherwise + "\n" + out);
        }
    }
}
