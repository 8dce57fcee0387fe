package dev.incumbent.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.model.LeaseId;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.SessionEvent;
import dev.incumbent.protocol.SessionState;
import dev.incumbent.protocol.Step;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

final class VigilTest {
    private final List<String> told = new ArrayList<>();
    private static final LeaseId LEASE = new LeaseId("La");

    private final Vigil vigil = new Vigil((Vigil.Told) Proxy.newProxyInstance(
            Vigil.class.getClassLoader(), new Class<?>[] {Vigil.Told.class}, (self, what, with) -> {
                told.add(with == null ? what.getName() : what.getName() + " " + with[0]);
                return null;
            }));

    @Test
    void aFailureThatMustBeExpectedIsToldInItsOwnWords() {
        CoordinatorException silent = new CoordinatorException("no answer within 500 ms", true);

        vigil.failed("withdrawing a from job", silent);
        vigil.failed("withdrawing a from job", new CompletionException(silent));

        assertThat(told)
                .containsOnly("failure withdrawing a from job: no answer within 500 ms")
                .hasSize(2);
    }

    @Test
    void aBugIsToldAsSuch() {
        vigil.failed("stepping job", new IllegalStateException("odd"));

        assertThat(told).containsExactly("failure stepping job: internal error: java.lang.IllegalStateException: odd");
    }

    @Test
    void whoWasNeverGivenALeaseIsToldThatTheCoordinatorCannotBeUsed() {
        hears(new SessionEvent.GrantFailed("no answer within 500 ms", false));
        hears(new SessionEvent.GrantFailed("it lacks a right of user app", true));
        hears(new SessionEvent.GrantFailed("it lacks a right of user app", true));

        assertThat(told)
                .containsExactly(
                        "unreachable no answer within 500 ms", "coordinatorRefused it lacks a right of user app");
    }

    @Test
    void whoHasStoodIsToldOfARefusalAndOfItsEnd() {
        hears(new SessionEvent.Granted(LEASE, Duration.ofSeconds(6), 0));
        hears(new SessionEvent.KeepAliveFailed(LEASE, "it lacks a right of user app", true));
        hears(new SessionEvent.GrantFailed("it lacks a right of user app", true));
        hears(new SessionEvent.GrantFailed("no answer within 500 ms", false));
        hears(new SessionEvent.Granted(LEASE, Duration.ofSeconds(6), 0));

        assertThat(told)
                .containsExactly(
                        "refused it lacks a right of user app", "unreachable no answer within 500 ms", "reachable");
    }

    private void hears(SessionEvent event) {
        vigil.sessionStepped(
                event, new Step<>(SessionState.START, List.of(), Step.NEVER), new Moment(0, Instant.EPOCH));
    }
}
