package dev.incumbent.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is told of the calls to a coordinator, and of the lease. */
class MeteredCoordinatorTest {
    private static final CandidateId ME = new CandidateId("me@host-1-a");
    private static final LeaseId LEASE = new LeaseId("L1");
    private static final ElectionName JOB = new ElectionName("job");

    private final MockClock clock = new MockClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
    private final HeldStore store = new HeldStore();
    private final MeteredCoordinator metered = MeteredCoordinator.around(store, registry);

    @Test
    void aCallIsTimedUntilItsAnswerAndGivesTheStageOfTheStore() {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        store.keepAlive = () -> answer;

        assertThat(metered.keepAlive(LEASE)).isSameAs(answer);
        clock.add(Duration.ofMillis(30));
        assertThat(calls("keep_alive", "ok").count()).isZero();
        answer.complete(null);

        assertThat(calls("keep_alive", "ok").count()).isEqualTo(1);
        assertThat(calls("keep_alive", "ok").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(30);
    }

    @Test
    void failuresAreToldByWhetherTheyMayHaveApplied() {
        store.keepAlive = () -> CompletableFuture.failedFuture(new CoordinatorException("refused", false));
        metered.keepAlive(LEASE);
        metered.keepAlive(LEASE);
        store.keepAlive = () -> CompletableFuture.failedFuture(new CoordinatorException("late", true));
        metered.keepAlive(LEASE);
        store.keepAlive = () -> CompletableFuture.failedFuture(new IllegalStateException("odd"));
        metered.keepAlive(LEASE);
        store.keepAlive = () ->
                CompletableFuture.failedFuture(new CompletionException(new LeaseLostException(LEASE, "it ended")));
        metered.keepAlive(LEASE);

        assertThat(calls("keep_alive", "failed").count()).isEqualTo(2);
        assertThat(calls("keep_alive", "uncertain").count()).isEqualTo(2);
        assertThat(calls("keep_alive", "lease_lost").count()).isEqualTo(1);
        assertThat(calls("keep_alive", "ok").count()).isZero();
        assertThat(registry.get("incumbent.lease.renewals").timer().count()).isZero();
    }

    @Test
    void aCallThatThrowsIsCountedAndThrows() {
        store.keepAlive = () -> {
            throw new CoordinatorException("closed", false);
        };

        assertThatThrownBy(() -> metered.keepAlive(LEASE)).isInstanceOf(CoordinatorException.class);

        assertThat(calls("keep_alive", "failed").count()).isEqualTo(1);
    }

    @Test
    void aReadThatReadsNothingHasFailed() {
        store.read = () -> CompletableFuture.completedStage(Map.of(JOB, new Reading.Unread("no route")));
        metered.read(Set.of(JOB));
        store.read = () -> CompletableFuture.completedStage(Map.of(JOB, new Reading.Absent()));
        metered.read(Set.of(JOB));

        assertThat(calls("read", "failed").count()).isEqualTo(1);
        assertThat(calls("read", "ok").count()).isEqualTo(1);
    }

    @Test
    void theLeaseAgesFromTheSendingOfTheRequestThatWasAnsweredLast() {
        assertThat(gauge("incumbent.lease.renewal.age")).as("it has no lease").isNaN();
        grant();
        clock.add(Duration.ofSeconds(2));
        assertThat(gauge("incumbent.lease.length")).isEqualTo(6);
        assertThat(gauge("incumbent.lease.renewal.age")).isEqualTo(2, within(1e-6));
        CompletableFuture<Void> slow = new CompletableFuture<>();
        store.keepAlive = () -> slow;
        metered.keepAlive(LEASE);
        clock.add(Duration.ofSeconds(1));
        assertThat(gauge("incumbent.lease.renewal.age")).isEqualTo(3, within(1e-6));
        slow.complete(null);

        assertThat(gauge("incumbent.lease.renewal.age")).isEqualTo(1, within(1e-6));
        assertThat(registry.get("incumbent.lease.renewals").timer().totalTime(TimeUnit.SECONDS))
                .isEqualTo(1);
    }

    @Test
    void anAnswerThatIsOvertakenMakesTheLeaseNoOlder() {
        grant();
        CompletableFuture<Void> slow = new CompletableFuture<>();
        store.keepAlive = () -> slow;
        metered.keepAlive(LEASE);
        clock.add(Duration.ofSeconds(1));
        store.keepAlive = () -> CompletableFuture.completedStage(null);
        metered.keepAlive(LEASE);
        slow.complete(null);

        assertThat(gauge("incumbent.lease.renewal.age")).isZero();
    }

    @Test
    void aLeaseThatIsRevokedOrDeadIsToldNoMore() {
        grant();
        metered.revoke(LEASE);
        assertThat(gauge("incumbent.lease.length")).isNaN();
        grant();
        store.keepAlive = () -> CompletableFuture.failedFuture(new LeaseLostException(new LeaseId("L0"), "long ago"));
        metered.keepAlive(new LeaseId("L0"));
        assertThat(gauge("incumbent.lease.length")).as("another lease is dead").isEqualTo(6);
        store.keepAlive = () -> CompletableFuture.failedFuture(new LeaseLostException(LEASE, "it ended"));
        metered.keepAlive(LEASE);

        assertThat(gauge("incumbent.lease.renewal.age")).isNaN();
    }

    @Test
    void twoCoordinatorsOfAProcessAreToldApartByTheirTags() {
        HeldStore other = new HeldStore();
        other.grant = () -> CompletableFuture.completedStage(new GrantedLease(LEASE, Duration.ofSeconds(9)));
        MeteredCoordinator.around(other, registry, Tags.of("coordinator", "billing"))
                .grant(ME, Duration.ofSeconds(9));

        assertThat(registry.get("incumbent.lease.length")
                        .tag("coordinator", "billing")
                        .gauge()
                        .value())
                .isEqualTo(9);
        assertThat(calls("grant", "ok").count()).isZero();
    }

    @Test
    void eachOperationGoesToItsOwnTimer() {
        store.callsAllOf(metered);

        for (Operation operation : Operation.values()) {
            assertThat(calls(operation.tag(), "ok").count()).as(operation.tag()).isEqualTo(1);
        }
    }

    @Test
    void onlyWhatNeedsALiveLeaseIsAnsweredThatItIsDead() {
        store.read = () -> CompletableFuture.failedFuture(new LeaseLostException(LEASE, "odd"));
        metered.read(Set.of(JOB));

        assertThat(calls("read", "failed").count()).isEqualTo(1);
        assertThat(registry.get("incumbent.coordinator.calls")
                        .tag("outcome", "lease_lost")
                        .timers())
                .extracting(timer -> timer.getId().getTag("operation"))
                .containsExactlyInAnyOrder("keep_alive", "enlist");
    }

    private void grant() {
        store.grant = () -> CompletableFuture.completedStage(new GrantedLease(LEASE, Duration.ofSeconds(6)));
        metered.grant(ME, Duration.ofSeconds(6));
    }

    /** Of the coordinator without a tag of its own. */
    private Timer calls(String operation, String outcome) {
        return registry
                .get("incumbent.coordinator.calls")
                .tag("operation", operation)
                .tag("outcome", outcome)
                .timers()
                .stream()
                .filter(timer -> timer.getId().getTag("coordinator") == null)
                .findAny()
                .orElseThrow();
    }

    private double gauge(String name) {
        return registry.get(name).gauges().stream()
                .filter(one -> one.getId().getTag("coordinator") == null)
                .findAny()
                .orElseThrow()
                .value();
    }
}
