package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.ElectionListener;
import dev.incumbent.LeaderTask;
import dev.incumbent.Trace;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A process's listeners hear where it stands, and when a term that it leads is in danger. */
class ToldOfStandingTest {
    private static final LeaderTask TASK = leadership -> {};
    private static final Duration LEASE = OneProcess.TIMING.lease();

    private final OneThread platform = new OneThread();
    private final MemoryStore store = new MemoryStore(platform.time);
    private final List<String> told = new ArrayList<>();
    private final OneProcess a =
            new OneProcess(platform, store, "a", new Ears(Trace.NONE, new Listeners(List.of(new Noting()))));

    @Test
    void whoStandsIsToldBeforeItLeadsAndThatItHasLeftAfterItsTerm() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        a.led();
        candidacy.closeAsync();
        platform.run();
        assertThat(told).containsExactly("stands job", "granted 1", "revoked 1 CLOSED");
        platform.task().returns();
        platform.pass(Duration.ofMillis(5));

        assertThat(told).containsExactly("stands job", "granted 1", "revoked 1 CLOSED", "left job");
    }

    @Test
    void whoStandsAnewIsToldAgain() {
        a.election("job").campaign().closeAsync();
        platform.pass(Duration.ofMillis(5));
        a.election("job").campaign();
        platform.pass(Duration.ofMillis(5));

        assertThat(told).startsWith("stands job").endsWith("left job", "stands job", "granted 1");
    }

    @Test
    void whatIsDrivenOnlyToTakeItsNameOffTheRecordDoesNotStand() {
        Teller teller = new Teller(new Noting(), platform, new LeaseClock(platform.time), Trace.NONE);
        ElectionName job = new ElectionName("job");
        teller.left(job);
        teller.stands(job);
        teller.stands(job);
        teller.left(job);
        teller.left(job);
        platform.run();

        assertThat(told).containsExactly("stands job", "left job");
    }

    @Test
    void aTermWhoseRenewalsFailIsInJeopardyUntilOneSucceeds() {
        a.election("job").campaign();
        platform.pass(Duration.ofMillis(5));
        a.answers.put("keepAlive", OneProcess.failing("busy", false));
        platform.pass(OneProcess.TIMING.renewEvery().plusMillis(50));
        assertThat(told).containsExactly("stands job", "granted 1", "jeopardy 1");
        a.answers.clear();
        platform.pass(OneProcess.TIMING.requestTimeout());
        assertThat(told).endsWith("jeopardy 1", "safe 1");

        a.answers.put("keepAlive", OneProcess.failing("busy", false));
        a.answers.put("grant", OneProcess.failing("busy", false));
        platform.pass(LEASE);

        assertThat(told).endsWith("safe 1", "jeopardy 1", "revoked 1 LEASE_LOST");
    }

    private final class Noting implements ElectionListener {
        @Override
        public void onStanding(ElectionName election) {
            told.add("stands " + election);
        }

        @Override
        public void onLeft(ElectionName election) {
            told.add("left " + election);
        }

        @Override
        public void onGranted(Term term) {
            told.add("granted " + term.number());
        }

        @Override
        public void onRevoked(Term term, EndReason reason) {
            told.add("revoked " + term.number() + " " + reason);
        }

        @Override
        public void onJeopardy(Term term) {
            told.add("jeopardy " + term.number());
        }

        @Override
        public void onSafe(Term term) {
            told.add("safe " + term.number());
        }
    }
}
