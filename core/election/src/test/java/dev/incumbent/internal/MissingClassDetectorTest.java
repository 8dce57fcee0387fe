package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.Candidacy;
import dev.incumbent.ElectionAdmin;
import dev.incumbent.ElectionListener;
import dev.incumbent.Elections;
import dev.incumbent.LeaderTask;
import dev.incumbent.Leadership;
import dev.incumbent.Trace;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.ForwardingCoordinator;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Role;
import dev.incumbent.outcome.Freezing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A coordinator whose code lacks a class is told as that, once, and is no coordinator that does not answer; in virtual time. */
class MissingClassDetectorTest {
    private static final LeaderTask TASK = leadership -> {};
    private static final Duration A_MOMENT = Duration.ofMillis(10);
    private static final Duration LONG = OneProcess.TIMING.lease().multipliedBy(10);
    private static final String TOLD =
            "the coordinator cannot be used: its code does not find all that it needs on the class path"
                    + " (java.lang.NoClassDefFoundError: org/postgresql/Driver); add the library that is named there, in"
                    + " the version that this coordinator was built with";

    private final OneThread platform = new OneThread();
    private final MemoryStore store = new MemoryStore(platform.time);
    private final List<String> heard = new ArrayList<>();
    private final OneProcess a = new OneProcess(platform, store, "a", new Ears(Trace.NONE, new Hearing()));

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aGrantThatLacksAClassIsAskedForOnceAndItsCandidaciesSayWhy(boolean atOnce) {
        a.answers.put("grant", atOnce ? MissingClassDetectorTest::thrown : MissingClassDetectorTest::lacking);
        Candidacy candidacy = a.election("job").campaign(TASK);
        CompletableFuture<Leadership> awaited = candidacy.whenLeading().toCompletableFuture();
        platform.pass(LONG);
        Candidacy later = a.election("other").campaign(TASK);
        platform.pass(LONG);

        assertThat(a.callsOf("grant")).isEqualTo(1);
        assertThat(candidacy.health().trouble()).contains(TOLD);
        assertThat(later.health().trouble()).contains(TOLD);
        assertThat(heard).containsExactly("job: " + TOLD, "other: " + TOLD);
        assertThatThrownBy(awaited::join).hasCauseInstanceOf(CoordinatorUnusableException.class);
        for (Candidacy one : List.of(candidacy, later)) {
            assertThatThrownBy(one::awaitLeadership)
                    .isInstanceOf(CoordinatorUnusableException.class)
                    .hasMessage(TOLD);
            assertThatThrownBy(() -> one.awaitLeadership(Duration.ofDays(1)))
                    .isInstanceOf(CoordinatorUnusableException.class)
                    .hasMessage(TOLD);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"read", "enlist", "candidates", "swap"})
    void anyOtherCallThatLacksAClassIsToldOnceToo(String call) {
        a.answers.put(call, MissingClassDetectorTest::lacking);
        Candidacy candidacy = a.election("job").campaign(TASK);
        platform.pass(LONG);
        if (call.equals("read") || call.equals("candidates")) {
            new OneProcess(platform, store, "b", Trace.NONE).election("job").campaign(TASK);
            platform.pass(LONG);
        }

        assertThat(candidacy.health().trouble()).contains(TOLD);
        assertThat(heard).containsOnlyOnce("job: " + TOLD);
        assertThat(heard).noneMatch(line -> line.startsWith("unreachable"));
    }

    @Test
    void aLeaderLeadsUntilItsLeaseRunsOutAndNotAgain() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        Leadership led = a.led();
        a.answers.put("keepAlive", MissingClassDetectorTest::lacking);
        long cut = platform.time.nanos();

        while (led.holds()) {
            platform.pass(A_MOMENT);
        }
        assertThat(platform.time.nanos() - cut)
                .isLessThanOrEqualTo(OneProcess.TIMING.lease().toNanos());
        platform.task().returns();
        platform.pass(LONG);

        assertThat(candidacy.health().role()).isEqualTo(Role.CANDIDATE);
        assertThat(candidacy.health().leaseHeld()).isFalse();
        assertThat(a.callsOf("grant")).isEqualTo(1);
    }

    @Test
    void whoHoldsALeadershipIsGivenItAllTheSame() throws InterruptedException {
        Candidacy candidacy = a.election("job").campaign(TASK);
        Leadership led = a.led();
        a.answers.put("read", MissingClassDetectorTest::lacking);
        platform.pass(OneProcess.TIMING.renewEvery().plusMillis(5));

        assertThat(candidacy.health().trouble()).contains(TOLD);
        assertThat(candidacy.awaitLeadership().term()).isEqualTo(led.term());
    }

    @Test
    void anOperationEndsInTheSentence() {
        CompletableFuture<Freezing> frozen = ElectionAdmin.over(
                        lackingOnRead(), platform.time, new ElectionName("job"), "ann@host")
                .freeze("a test", List.of(), ElectionAdmin.Until.VACANT)
                .toCompletableFuture()
                .orTimeout(10, TimeUnit.SECONDS);

        assertThatThrownBy(frozen::join)
                .cause()
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessage(TOLD);
    }

    @Test
    void aCoordinatorThatCannotBeOpenedIsToldSo() {
        assertThatThrownBy(() -> Elections.connect((clocks, requestTimeout) -> {
                            throw missing();
                        })
                        .open())
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessage(TOLD);
    }

    private Coordinator lackingOnRead() {
        return new ForwardingCoordinator(MemoryCoordinator.connect(store, platform.time, OneProcess.CALL)) {
            @Override
            public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
                throw missing();
            }
        };
    }

    private static NoClassDefFoundError missing() {
        return new NoClassDefFoundError("org/postgresql/Driver");
    }

    private static CompletionStage<?> thrown() {
        throw missing();
    }

    private static CompletionStage<?> lacking() {
        return CompletableFuture.failedFuture(missing());
    }

    private final class Hearing implements ElectionListener {
        @Override
        public void onTrouble(ElectionName election, String what) {
            heard.add(election + ": " + what);
        }

        @Override
        public void onUnreachable(String why) {
            heard.add("unreachable: " + why);
        }
    }
}
