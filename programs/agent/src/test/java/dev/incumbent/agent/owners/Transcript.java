package dev.incumbent.agent.owners;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import java.util.ArrayList;
import java.util.List;

/** Plays events to the machine, and compares what it does with lines such as {@code "a leads with 7 for 3000"}. Times are milliseconds. */
final class Transcript {
    private static final long MILLI = 1_000_000;

    private final List<String> lines = new ArrayList<>();
    private OwnersState state;
    private long now;
    private long wakeAt = Step.NEVER;

    /** Clocks that agree: their drift is tested by itself. */
    Transcript() {
        this(new OwnersSetup(1000 * MILLI, 15_000 * MILLI, 14_000 * MILLI, 0, 3));
    }

    Transcript(OwnersSetup setup) {
        state = OwnersState.empty(setup);
    }

    /** Lets time pass, up to that. The machine is woken whenever it asked for it. */
    Transcript at(long millis) {
        while (wakeAt <= millis * MILLI) {
            now = Math.max(now, wakeAt);
            step(new OwnersEvent.TimePassed());
            assertThat(wakeAt).as("it does what it was woken for").isGreaterThan(now);
        }
        now = millis * MILLI;
        return this;
    }

    /** The agent stands still until then: it is not woken in between. */
    Transcript frozenUntil(long millis) {
        now = millis * MILLI;
        return this;
    }

    Transcript asks(String id, long ttlMillis) {
        return step(new OwnersEvent.Asked(id, id, ttlMillis * MILLI, false));
    }

    /** It asks for the watchdog, too. */
    Transcript asksWatched(String id, long ttlMillis) {
        return step(new OwnersEvent.Asked(id, id, ttlMillis * MILLI, true));
    }

    /** The watchdog guards its work, and fires then. */
    Transcript guarded(String id, long token, long firesAtMillis) {
        return step(new OwnersEvent.Guarded(id, token, firesAtMillis * MILLI));
    }

    Transcript unguarded(String id, long token) {
        return step(new OwnersEvent.Unguarded(id, token));
    }

    Transcript begins(long token) {
        return step(new OwnersEvent.TermBegan(token));
    }

    Transcript ends(long token) {
        return step(new OwnersEvent.TermEnding(token));
    }

    /** A heartbeat that is answered at once, while the agent's leadership holds for so long. */
    Transcript beats(String id, long remainingMillis) {
        return hears(id).answers(id, remainingMillis);
    }

    /** A heartbeat that waits. */
    Transcript hears(String id) {
        return step(new OwnersEvent.Heard(id));
    }

    /** The answer to it. */
    Transcript answers(String id, long remainingMillis) {
        return step(new OwnersEvent.AnswerDue(id, remainingMillis * MILLI));
    }

    /** The answer while less than a millisecond is left. */
    Transcript answersAtTheEnd(String id) {
        return step(new OwnersEvent.AnswerDue(id, MILLI - 1));
    }

    Transcript stopped(String id, long token) {
        return step(new OwnersEvent.Stopped(id, token));
    }

    Transcript leaves(String id) {
        return step(new OwnersEvent.Left(id));
    }

    Transcript drains() {
        return step(new OwnersEvent.Draining());
    }

    boolean hasNews(String id) {
        return state.hasNews(id);
    }

    OwnersState state() {
        return state;
    }

    long wakeAtMillis() {
        return wakeAt == Step.NEVER ? Step.NEVER : wakeAt / MILLI;
    }

    /** All that was done since this was called last. */
    Transcript did(String... expected) {
        assertThat(lines).containsExactly(expected);
        lines.clear();
        return this;
    }

    private Transcript step(OwnersEvent event) {
        Step<OwnersState, OwnersEffect> step = OwnersProtocol.step(state, event, new Moment(now, 0));
        state = step.state();
        wakeAt = step.wakeAtNanos();
        step.effects().forEach(effect -> lines.add(line(effect)));
        return this;
    }

    private static String line(OwnersEffect effect) {
        if (effect instanceof OwnersEffect.Leads e) {
            return e.id() + " leads with " + e.token() + " for " + e.holdsNanos() / MILLI;
        } else if (effect instanceof OwnersEffect.Waits e) {
            return e.id() + " waits at " + e.place() + (e.ended() > 0 ? ", ended " + e.ended() : "");
        } else if (effect instanceof OwnersEffect.GiveUp e) {
            return "gives up " + e.token();
        } else if (effect instanceof OwnersEffect.Stands e) {
            return e.id() + " is in line";
        } else if (effect instanceof OwnersEffect.Refused e) {
            return e.id() + " is refused: " + e.why();
        } else if (effect instanceof OwnersEffect.Unknown e) {
            return e.id() + " is unknown";
        } else if (effect instanceof OwnersEffect.Gone e) {
            return e.id() + " is gone";
        } else if (effect instanceof OwnersEffect.Watch e) {
            return "watches " + e.id() + " in " + e.token();
        } else if (effect instanceof OwnersEffect.WatchEnds e) {
            return e.id() + " must stop in " + e.token();
        } else if (effect instanceof OwnersEffect.Unwatch e) {
            return "watches " + e.id() + " no more in " + e.token();
        }
        return effect instanceof OwnersEffect.Stand ? "stands" : "withdraws";
    }
}
