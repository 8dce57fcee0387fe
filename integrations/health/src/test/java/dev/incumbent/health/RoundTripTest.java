package dev.incumbent.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.model.LeaseId;
import dev.incumbent.time.VirtualTimeline;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Renewals that take their time. */
class RoundTripTest {
    private static final LeaseId LEASE = new LeaseId("L");

    private final VirtualTimeline time = new VirtualTimeline();
    private final RoundTrip check = RoundTrip.atMost(50);
    private final List<String> called = new ArrayList<>();
    private CompletableFuture<Void> answer = new CompletableFuture<>();
    private Duration sending = Duration.ZERO;
    private final Coordinator measured = check.to((timeline, timeout) -> {
                called.add("open within " + timeout);
                return store();
            })
            .open(time, Duration.ofSeconds(2));

    /** A store that answers a keep-alive when the test says so, and all else at once. */
    private Coordinator store() {
        return (Coordinator) Proxy.newProxyInstance(
                Coordinator.class.getClassLoader(), new Class<?>[] {Coordinator.class}, (proxy, method, arguments) -> {
                    called.add(method.getName() + " " + arguments[0]);
                    time.advance(sending);
                    return method.getName().equals("keepAlive") ? answer : CompletableFuture.completedStage(null);
                });
    }

    private void renewed(Duration after) {
        answer = new CompletableFuture<>();
        CompletableFuture<Void> asked = answer;
        measured.keepAlive(LEASE);
        time.advance(after);
        asked.complete(null);
    }

    @Test
    void theLastRenewalIsComparedWithWhatTheLeaseAllows() {
        assertThat(check.ask(0)).isEqualTo(Answer.well("has renewed no lease of late"));
        renewed(Duration.ofMillis(40));
        assertThat(check.ask(0)).isEqualTo(Answer.well("took 40 ms for a renewal; the lease allows 2 s"));
        renewed(Duration.ofSeconds(1));
        assertThat(check.ask(0).isWell()).isTrue();
        renewed(Duration.ofMillis(1_100));
        assertThat(check.ask(0))
                .isEqualTo(Answer.sick("took 1.1 s for a renewal; the lease allows 2 s, and healthy is 50 % of it"));
        renewed(Duration.ofMillis(40));

        assertThat(check.ask(0).isWell()).isTrue();
    }

    @Test
    void theTimeThatSendingTakesCounts() {
        sending = Duration.ofMillis(1_050);
        renewed(Duration.ofMillis(50));

        assertThat(check.ask(0))
                .isEqualTo(Answer.sick("took 1.1 s for a renewal; the lease allows 2 s, and healthy is 50 % of it"));
    }

    /** Whoever renews is told what the store answers, and no sooner. */
    @Test
    void allPassesThrough() {
        CompletableFuture<Void> renewing = measured.keepAlive(LEASE).toCompletableFuture();
        assertThat(renewing).isNotDone();
        answer.completeExceptionally(new CoordinatorException("no answer", true));
        assertThat(renewing).isCompletedExceptionally();
        measured.revoke(LEASE);

        assertThat(called).containsExactly("open within PT2S", "keepAlive " + LEASE, "revoke " + LEASE);
    }

    @Test
    void aRenewalThatFailsIsTheLeasesAffair() {
        renewed(Duration.ofMillis(1_900));
        assertThat(check.ask(0).isWell()).isFalse();
        answer = CompletableFuture.failedFuture(new CoordinatorException("no answer", true));
        measured.keepAlive(LEASE);

        assertThat(check.ask(0).isWell()).isTrue();
    }

    @Test
    void whoGivesTheLeaseBackHasRenewedNone() {
        renewed(Duration.ofMillis(1_900));
        measured.revoke(LEASE);

        assertThat(check.ask(0).isWell()).isTrue();
    }
}
