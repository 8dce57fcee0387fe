package dev.incumbent.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Term;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.search.Search;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What the meters tell of a process's elections. */
class ElectionMetersTest {
    private static final CandidateId ME = new CandidateId("me@host-1-a");

    private final MockClock clock = new MockClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
    private final ElectionMeters meters = ElectionMeters.in(registry);

    @Test
    void termsAreCountedAndTimedByTheirEnds() {
        meters.onGranted(term("a", 1));
        meters.onGranted(term("b", 1));
        assertThat(gauge("incumbent.elections.led")).isEqualTo(2);
        clock.add(Duration.ofSeconds(90));
        meters.onRevoked(term("a", 1), EndReason.LEASE_LOST);
        clock.add(Duration.ofSeconds(10));
        meters.onRevoked(term("b", 1), EndReason.TRANSFERRED);

        assertThat(gauge("incumbent.elections.led")).isZero();
        assertThat(registry.get("incumbent.terms.begun").counter().count()).isEqualTo(2);
        assertThat(seconds("lease_lost")).isEqualTo(90);
        assertThat(seconds("transferred")).isEqualTo(100);
    }

    private double seconds(String reason) {
        return registry.get("incumbent.terms").tag("reason", reason).timer().totalTime(TimeUnit.SECONDS);
    }

    @Test
    void anEndWithoutABeginningIsNoTerm() {
        meters.onRevoked(term("a", 1), EndReason.RESIGNED);

        assertThat(registry.get("incumbent.terms").timers())
                .hasSameSizeAs(EndReason.values())
                .allMatch(timer -> timer.count() == 0);
    }

    @Test
    void aTermInJeopardyIsSeenUntilItIsSafeOrOver() {
        meters.onGranted(term("a", 1));
        meters.onGranted(term("b", 1));
        meters.onJeopardy(term("a", 1));
        meters.onJeopardy(term("b", 1));
        assertThat(gauge("incumbent.elections.jeopardy")).isEqualTo(2);
        meters.onSafe(term("a", 1));
        assertThat(gauge("incumbent.elections.jeopardy")).isEqualTo(1);
        meters.onRevoked(term("b", 1), EndReason.LEASE_LOST);

        assertThat(gauge("incumbent.elections.jeopardy")).isZero();
        assertThat(registry.get("incumbent.jeopardies").counter().count()).isEqualTo(2);
    }

    @Test
    void anOutageOfTheCoordinatorIsSeenAndTimed() {
        assertThat(gauge("incumbent.coordinator.reachable")).isEqualTo(1);
        meters.onUnreachable("refused");
        assertThat(gauge("incumbent.coordinator.reachable")).isZero();
        meters.onReachable(Duration.ofSeconds(7));

        assertThat(gauge("incumbent.coordinator.reachable")).isEqualTo(1);
        assertThat(registry.get("incumbent.coordinator.outages").timer().totalTime(TimeUnit.SECONDS))
                .isEqualTo(7);
    }

    @Test
    void failuresTroublesAndSuspicionsAreCounted() {
        meters.onFailed(term("a", 1), new IllegalStateException("bug"));
        for (int i = 0; i < 3; i++) {
            meters.onTrouble(new ElectionName("a"), "its sink is closed");
        }
        meters.onSuspected(ME, "silent");
        meters.onSuspected(ME, "silent");
        meters.onMistaken(ME, 2);

        assertThat(registry.get("incumbent.task.failures").counter().count()).isEqualTo(1);
        assertThat(registry.get("incumbent.troubles").counter().count()).isEqualTo(3);
        assertThat(registry.get("incumbent.leaders.suspected").counter().count())
                .isEqualTo(2);
        assertThat(registry.get("incumbent.leaders.mistaken").counter().count()).isEqualTo(1);
    }

    @Test
    void whereItStandsIsCounted() {
        meters.onStanding(new ElectionName("a"));
        meters.onStanding(new ElectionName("b"));
        meters.onLeft(new ElectionName("a"));

        assertThat(gauge("incumbent.elections.standing")).isEqualTo(1);
        assertThat(registry.find("leader.election.master.status").gauges()).isEmpty();
    }

    @Test
    void eachElectionIsToldOnRequestFromStandingToLeaving() {
        ElectionMeters each = ElectionMeters.forEach(registry);
        each.onStanding(new ElectionName("a"));
        assertThat(status("a")).isZero();
        each.onGranted(term("a", 1));
        assertThat(status("a")).isEqualTo(1);
        each.onRevoked(term("a", 1), EndReason.RESIGNED);
        assertThat(status("a")).isZero();
        each.onLeft(new ElectionName("a"));

        assertThat(registry.find("leader.election.master.status").gauges()).isEmpty();
    }

    @Test
    void electionsBeyondTheBoundAreToldOnceOthersHaveLeft() {
        ElectionMeters each = ElectionMeters.forEach(registry);
        for (int i = 0; i < ElectionMeters.MOST_ELECTIONS + 5; i++) {
            each.onStanding(new ElectionName("e" + i));
        }
        assertThat(registry.get("leader.election.master.status").gauges()).hasSize(ElectionMeters.MOST_ELECTIONS);

        each.onLeft(new ElectionName("e1"));
        each.onStanding(new ElectionName("late"));

        assertThat(registry.get("leader.election.master.status").gauges()).hasSize(ElectionMeters.MOST_ELECTIONS);
        assertThat(status("late")).isZero();
    }

    @Test
    void thoseOfSeveralCoordinatorsDifferByTheirTags() {
        ElectionMeters batch = ElectionMeters.forEach(registry, Tags.of("coordinator", "batch/"));
        ElectionMeters others = ElectionMeters.in(registry, Tags.of("coordinator", "*"));
        batch.onStanding(new ElectionName("batch/a"));
        batch.onGranted(term("batch/a", 1));
        batch.onRevoked(term("batch/a", 1), EndReason.RESIGNED);
        batch.onGranted(term("batch/a", 2));
        batch.onUnreachable("refused");
        others.onGranted(term("b", 1));

        Search ofBatch = registry.find("incumbent.terms.begun").tag("coordinator", "batch/");
        assertThat(ofBatch.counters())
                .singleElement()
                .satisfies(begun -> assertThat(begun.count()).isEqualTo(2));
        assertThat(registry.get("incumbent.terms")
                        .tags("coordinator", "batch/", "reason", "resigned")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(tagged("incumbent.elections.led", "*")).isEqualTo(1);
        assertThat(tagged("incumbent.coordinator.reachable", "batch/")).isZero();
        assertThat(tagged("incumbent.coordinator.reachable", "*")).isEqualTo(1);
        assertThat(tagged("leader.election.master.status", "batch/")).isEqualTo(1);
        for (String name : List.of(
                "incumbent.task.failures",
                "incumbent.troubles",
                "incumbent.leaders.suspected",
                "incumbent.leaders.mistaken",
                "incumbent.coordinator.outages")) {
            assertThat(registry.find(name).tagKeys("coordinator").meters())
                    .as(name)
                    .hasSize(2);
        }
    }

    private double tagged(String name, String coordinator) {
        return registry.get(name).tag("coordinator", coordinator).gauge().value();
    }

    private double status(String name) {
        return registry.get("leader.election.master.status")
                .tag("name", name)
                .gauge()
                .value();
    }

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }

    private static Term term(String election, long number) {
        return new Term(new ElectionName(election), number, new Candidate(ME, "me", ""));
    }
}
