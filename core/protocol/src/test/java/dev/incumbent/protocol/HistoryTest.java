package dev.incumbent.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.Revision;
import dev.incumbent.model.SinkId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** From when to when, by the wall clock, the record says that a term was led. */
class HistoryTest {
    private static final LeaseId LEASE = new LeaseId("La");
    private static final SinkId DISK = new SinkId("disk");
    private static final Candidate ADA = new Candidate(new CandidateId("ada"), "ada", "");

    private final ElectionProtocol machine =
            new ElectionProtocol(Setup.of(new ElectionName("billing"), ADA, Actor.TIMING, Map.of(DISK, "disk")));
    private ElectionState state = ElectionState.START;

    @Test
    void aTermIsLedFromTheBeginningOfItsTaskToItsVacate() {
        win();
        step(new Event.MarkRaised(DISK, mark(1)), 30);
        step(new Event.SwapAccepted("ada:2", new Revision("ada:2")), 40);
        step(new Event.ResignAsked(), 50);

        PastTerm past = vacated(step(new Event.TaskReturned(1, Event.TaskOutcome.RETURNED), 60));

        assertThat(past.from()).isEqualTo(at(40));
        assertThat(past.to()).isEqualTo(at(60));
    }

    @Test
    void aTermWhoseTaskNeverBeganCountsFromItsClaim() {
        win();

        PastTerm past = vacated(step(new Event.MarkRefused(DISK, mark(1), mark(100)), 30));

        assertThat(past.from()).isEqualTo(at(10));
        assertThat(past.to()).isEqualTo(at(30));
    }

    /** Claimed at 10 ms, won at 20. */
    private void win() {
        step(new Event.LeaseGranted(LEASE, Duration.ofSeconds(6), 0), 0);
        step(new Event.Campaigned(), 0);
        step(new Event.RecordObserved(ObservedRecord.ABSENT, 0), 0);
        step(new Event.CandidateEnlisted(), 0);
        Enlisted ada = new Enlisted(ADA, LEASE, Instant.EPOCH, Set.of(DISK), Set.of());
        step(new Event.CandidatesListed(List.of(ada), 0), 10);
        step(new Event.SwapAccepted("ada:1", new Revision("ada:1")), 20);
    }

    private static PastTerm vacated(List<Effect> effects) {
        return effects.stream()
                .filter(Effect.SwapRecord.class::isInstance)
                .map(effect -> ((Effect.SwapRecord) effect).next().history().get(0))
                .findFirst()
                .orElseThrow();
    }

    private List<Effect> step(Event event, long atMillis) {
        Step<ElectionState, Effect> step = machine.step(state, event, new Moment(atMillis * Actor.MILLI, at(atMillis)));
        state = step.state();
        return step.effects();
    }

    private static Instant at(long millis) {
        return Instant.EPOCH.plusMillis(millis);
    }

    private static Mark mark(long token) {
        return new Mark(new FencingToken(token), MarkOwner.ofCandidate(ADA.id()));
    }
}
