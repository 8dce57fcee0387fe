package dev.incumbent.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.SinkId;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** A machine whose questions all fail at once, or whose terms all end at once, does not spin: what it asks in a minute is bounded. */
class NoSpinTest {
    private static final long MINUTE = 60_000 * Actor.MILLI;
    private static final LeaseId LEASE = new LeaseId("La");

    @Test
    void aCoordinatorThatRefusesEveryCallIsAskedTwiceARequestTimeoutAtMost() {
        int asked = askedInAMinute((effect, store) -> failure(effect));

        assertThat(asked).isLessThanOrEqualTo(2 * 120 + 1); // the first refusal is followed by a question at once
    }

    @Test
    void aCoordinatorThatReadsButNeverSwapsIsAskedOnceARequestTimeoutAtMost() {
        int asked = askedInAMinute((effect, store) -> effect instanceof Effect.SwapRecord swap
                ? new Event.SwapUncertain(swap.next().nonce())
                : success(effect, store));

        assertThat(asked).isLessThanOrEqualTo(3 * 120);
    }

    @Test
    void aSinkThatIsNeverReachedCostsFewerAndFewerTerms() {
        int asked = askedInAMinute(
                (effect, store) -> effect instanceof Effect.RaiseMark ? failure(effect) : success(effect, store));

        assertThat(asked).isLessThanOrEqualTo(6 * 6);
    }

    @Test
    void aListThatNeverShowsThisProcessIsAskedOnceARequestTimeoutAtMost() {
        int asked = askedInAMinute((effect, store) -> effect instanceof Effect.ListCandidates
                ? new Event.CandidatesListed(List.of(), store.now)
                : success(effect, store));

        assertThat(asked).isLessThanOrEqualTo(2 * 121 + 2);
    }

    /** A store for one minute. */
    private static final class Scene {
        TinyStore store = TinyStore.EMPTY.granting(LEASE);
        long now;
    }

    /** Steps one process for a minute, its lease renewed every second, and counts what it asks. */
    private static int askedInAMinute(BiFunction<Effect, Scene, Event> answers) {
        ElectionProtocol machine = new ElectionProtocol(Setup.of(
                new ElectionName("billing"),
                new Candidate(new CandidateId("a"), "a", ""),
                Actor.TIMING,
                Map.of(new SinkId("disk"), "disk")));
        Scene scene = new Scene();
        ElectionState state = ElectionState.START;
        Deque<Event> events = new ArrayDeque<>(
                List.of(new Event.LeaseGranted(LEASE, Actor.TIMING.lease(), 0), new Event.Campaigned()));
        int asked = 0;
        while (scene.now < MINUTE && asked < 10_000) {
            if (events.isEmpty()) {
                events.add(new Event.LeaseRenewed(LEASE, scene.now));
            }
            Step<ElectionState, Effect> step =
                    machine.step(state, events.remove(), new Moment(scene.now, Instant.EPOCH));
            state = step.state();
            for (Effect effect : step.effects()) {
                Event answer = answers.apply(effect, scene);
                if (!(answer instanceof Event.Woken)) {
                    asked++;
                    events.add(answer);
                }
            }
            if (events.isEmpty()) {
                scene.now = Math.min(step.wakeAtNanos(), scene.now + 1000 * Actor.MILLI);
            }
        }
        return asked;
    }

    private static Event failure(Effect effect) {
        if (effect instanceof Effect.SwapRecord swap) {
            return new Event.SwapFailed(swap.next().nonce());
        } else if (effect instanceof Effect.RaiseMark raise) {
            return new Event.MarkUnraised(raise.sink(), raise.mark(), "refused");
        } else if (effect instanceof Effect.EnlistCandidate) {
            return new Event.EnlistFailed("refused");
        } else if (effect instanceof Effect.ListCandidates) {
            return new Event.CandidatesUnlisted("refused");
        }
        return effect instanceof Effect.ReadRecord ? new Event.RecordUnread("refused") : new Event.Woken();
    }

    private static Event success(Effect effect, Scene scene) {
        if (effect instanceof Effect.SwapRecord swap) {
            scene.store = scene.store.with(swap.next());
            return new Event.SwapAccepted(swap.next().nonce(), TinyStore.revision(swap.next()));
        } else if (effect instanceof Effect.RaiseMark raise) {
            return new Event.MarkRaised(raise.sink(), raise.mark());
        } else if (effect instanceof Effect.EnlistCandidate enlist) {
            scene.store = scene.store.enlisting(enlist.candidate(), enlist.atEnd());
            return new Event.CandidateEnlisted();
        } else if (effect instanceof Effect.ListCandidates) {
            return new Event.CandidatesListed(scene.store.line(), scene.now);
        }
        return effect instanceof Effect.ReadRecord
                ? new Event.RecordObserved(scene.store.observed(), scene.now)
                : new Event.Woken();
    }
}
