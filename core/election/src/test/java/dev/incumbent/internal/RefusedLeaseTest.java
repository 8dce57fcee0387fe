package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.LeaderTask;
import dev.incumbent.Leadership;
import dev.incumbent.Trace;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.SessionEffect;
import dev.incumbent.protocol.SessionEvent;
import dev.incumbent.protocol.SessionState;
import dev.incumbent.protocol.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A coordinator that answers, and gives or keeps no lease as it is configured: no silence, and no class that is missing; in virtual time. */
class RefusedLeaseTest {
    private static final LeaderTask TASK = leadership -> {};
    private static final String WHY = "the coordinator lacks a right of user app";

    private final OneThread platform = new OneThread();
    private final MemoryStore store = new MemoryStore(platform.time);
    private final List<SessionEvent> events = new ArrayList<>();
    private final OneProcess a = new OneProcess(platform, store, "a", new Hearing());

    /** Unlike a class, a right comes back while the process goes on. */
    @Test
    void whoIsRefusedALeaseStandsOnSaysWhyAndLeadsOnceItIsGivenOne() {
        a.answers.put("grant", RefusedLeaseTest::refusing);
        Candidacy candidacy = a.election("job").campaign(TASK);
        CompletableFuture<Leadership> leads = candidacy.whenLeading().toCompletableFuture();
        platform.pass(OneProcess.TIMING.lease().multipliedBy(3));
        assertThat(candidacy.health().trouble()).contains("no lease: " + WHY);
        assertThat(leads).isNotDone();
        assertThat(events).contains(new SessionEvent.GrantFailed(WHY, true));

        a.answers.clear();
        platform.pass(OneProcess.TIMING.lease());

        assertThat(candidacy.health().trouble()).isEmpty();
        assertThat(candidacy.leadership()).isPresent();
    }

    @Test
    void aKeepAliveThatIsRefusedIsToldApartFromOneThatIsNotAnswered() {
        a.election("job").campaign(TASK);
        a.led();
        a.answers.put("keepAlive", OneProcess.failing("cut off", true));
        platform.pass(OneProcess.TIMING.renewEvery());
        assertThat(refusedKeepAlives()).isNotEmpty().doesNotContain(true);

        a.answers.put("keepAlive", RefusedLeaseTest::refusing);
        platform.pass(OneProcess.TIMING.renewEvery());

        assertThat(refusedKeepAlives()).contains(true);
    }

    private List<Boolean> refusedKeepAlives() {
        return events.stream()
                .filter(SessionEvent.KeepAliveFailed.class::isInstance)
                .map(event -> ((SessionEvent.KeepAliveFailed) event).refused())
                .toList();
    }

    private static CompletionStage<?> refusing() {
        return CompletableFuture.failedFuture(new CoordinatorUnusableException(WHY));
    }

    private final class Hearing implements Trace {
        @Override
        public void sessionStepped(SessionEvent event, Step<SessionState, SessionEffect> step, Moment at) {
            events.add(event);
        }
    }
}
