package dev.incumbent.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.ElectionAdmin;
import dev.incumbent.agent.PlainHttp.Answer;
import dev.incumbent.coordinator.memory.FaultyWire.Fault;
import dev.incumbent.model.ElectionName;
import dev.incumbent.outcome.RequestedTransfer;
import dev.incumbent.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Owners that stand over real sockets, in real time. */
@Tag("patient")
@Timeout(120)
class CampaigningTest extends WithAgent {
    private static final String ELECTION = "/v1/elections/billing%2Fcloser";

    @Test
    void anOwnerLeadsAndIsToldForHowLong() {
        LocalOwner owner = work.owner("billing/closer", 6000);

        Json lead = owner.awaitLead();

        assertThat(lead.at("token").number()).isPositive();
        assertThat(lead.at("holdsMs").number()).isBetween(1L, 4900L);
        Json told = work.socket().get(ELECTION).json();
        assertThat(told.at("leader").at("name").text()).isEqualTo("host-1");
        assertThat(told.at("here").at("token").number())
                .isEqualTo(lead.at("token").number());
        assertThat(told.at("here").at("owners").items()).hasSize(1);
    }

    @Test
    void aTokenIsCheckedAgainstWhatIsNeeded() {
        LocalOwner owner = work.owner("billing/closer", AgentAtWork.LONG_TTL);
        long token = owner.awaitLead().at("token").number();
        String check = ELECTION + "/check?token=";

        assertThat(work.socket().get(check + token + "&need=100ms").status()).isEqualTo(200);
        assertThat(work.socket().get(check + token + "&need=60s").sentence()).contains("60000 ms are needed");
        assertThat(work.socket().get(check + token + "&need=60s").status()).isEqualTo(409);
        assertThat(work.socket().get(check + (token + 1)).status()).isEqualTo(409);

        owner.leave();
        Await.until("the token is stale", () -> work.socket().get(check + token).status() == 409);
    }

    /** The agent's own lease lasts longer, and must not be promised to anybody. */
    @Test
    void aCheckPromisesNoMoreThanTheOwnerMayBelieve() {
        LocalOwner owner = work.owner("billing/closer", 1500);
        long token = owner.awaitLead().at("token").number();
        String check = ELECTION + "/check?token=" + token;

        assertThat(work.socket().get(check + "&need=1600ms").status()).isEqualTo(409);
        assertThat(work.socket().get(check).json().at("remainingMs").number()).isBetween(1L, 1500L);

        CompletableFuture<Void> closing = CompletableFuture.runAsync(work.agent::close);
        Await.until("the agent ends", () -> work.socket().get("/readyz").status() == 503);
        assertThat(work.socket().get(check).status()).as("the term ends").isEqualTo(409);
        owner.leave();
        closing.join();
    }

    @Test
    void theNextOwnerGetsANewTermWithAHigherToken() {
        LocalOwner first = work.owner("billing/closer", AgentAtWork.LONG_TTL);
        long token = first.awaitLead().at("token").number();
        LocalOwner second = work.owner("billing/closer", AgentAtWork.LONG_TTL);
        assertThat(second.beat().json().at("leads").flag()).isFalse();

        assertThat(first.leave().status()).isEqualTo(200);

        assertThat(second.awaitLead().at("token").number()).isGreaterThan(token);
        assertThat(first.beat().status()).isEqualTo(404);
    }

    @Test
    @Tag("realtime")
    void whoSaysThatItHasStoppedStandsAgainBehindTheOthers() {
        LocalOwner first = work.owner("billing/closer", 6000);
        long token = first.awaitLead().at("token").number();
        LocalOwner second = work.owner("billing/closer", 6000);
        assertThat(second.beat().json().at("place").number()).isEqualTo(2);

        Answer stopped = first.beat("", "{\"stopped\":" + token + "}");

        assertThat(stopped.json().at("leads").flag()).isFalse();
        second.awaitLeadWithin(Duration.ofSeconds(5));
        assertThat(first.beat().json().at("place").number()).isEqualTo(2);
    }

    @Test
    @Tag("realtime")
    void anOwnerThatIsSilentIsFollowedByTheNext() {
        long token = work.owner("billing/closer", 4000).awaitLead().at("token").number();
        Duration lessThanTwice = Duration.ofSeconds(7);

        LocalOwner second = work.owner("billing/closer", 6000);

        assertThat(second.awaitLeadWithin(lessThanTwice).at("token").number()).isGreaterThan(token);
    }

    @Test
    @Tag("realtime")
    void aHeartbeatWaitsForNews() throws Exception {
        LocalOwner first = work.owner("billing/closer", 6000);
        first.awaitLead();
        LocalOwner second = work.owner("billing/closer", 6000);
        long began = System.nanoTime();

        Answer waited = second.beat("?wait=1s", "");

        assertThat(waited.json().at("leads").flag()).isFalse();
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began)).isBetween(900L, 1_900L);
    }

    @Test
    @Tag("realtime")
    void newsEndAWait() throws Exception {
        try (AgentAtWork slow =
                new AgentAtWork(Files.createDirectory(folder.resolve("slow")), Duration.ofSeconds(40))) {
            LocalOwner first = slow.owner("job", 40_000);
            first.awaitLead();
            LocalOwner second = slow.owner("job", 40_000);

            CompletableFuture<Answer> waited = CompletableFuture.supplyAsync(() -> second.beat("?wait=20s", ""));
            first.leave();

            assertThat(waited.get(10, TimeUnit.SECONDS).json().at("leads").flag())
                    .isTrue();
            second.leave();
        }
    }

    @Test
    @Tag("realtime")
    void aHeartbeatWaitsNoLongerThanHalfOfWhatItsAnswerIsWorth() {
        LocalOwner owner = work.owner("billing/closer", 6000);
        long token = owner.awaitLead().at("token").number();
        long began = System.nanoTime();

        Json waited = owner.beat("?wait=20s", "").json();

        assertThat(waited.at("token").number()).isEqualTo(token);
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began)).isBetween(1_250L, 2_500L);
    }

    @Test
    @Tag("realtime")
    void anOwnerHearsAtOnceThatTheAgentEnds() throws Exception {
        Path other = Files.createDirectory(folder.resolve("slow"));
        try (AgentAtWork slow = new AgentAtWork(other, Duration.ofSeconds(40))) {
            slow.owner("earlier", 2000).leave();
            LocalOwner owner = slow.owner("job", 40_000);
            long token = owner.awaitLead().at("token").number();

            CompletableFuture<Void> closing = CompletableFuture.runAsync(slow.agent::close);

            Await.within(
                    Duration.ofSeconds(10),
                    "no more is granted",
                    () -> !owner.beat().json().at("leads").flag());
            assertThat(owner.beat().json().at("ended").number()).isEqualTo(token);
            assertThat(slow.socket().get("/readyz").status()).isEqualTo(503);
            assertThat(slow.socket()
                            .post(ELECTION + "/campaign", "{\"ttlMs\":2000}")
                            .status())
                    .isEqualTo(503);
            assertThat(closing.isDone()).as("the owner has not stopped yet").isFalse();

            owner.leave();
            closing.get(20, TimeUnit.SECONDS);
            assertThat(Files.exists(other.resolve("agent.sock"))).isFalse();
        }
    }

    @Test
    @Tag("realtime")
    void anAgentThatLosesItsCoordinatorIsNotReadyAndGrantsNoMoreThanItsLease() {
        LocalOwner owner = work.owner("billing/closer", 6000);
        owner.awaitLead();
        assertThat(work.socket().get("/readyz").status()).isEqualTo(200);

        long cut = System.nanoTime();
        work.wire.suffer(Fault.SILENT);

        Await.until("it is not ready", () -> owner.beat().status() == 200 && isReady(503));
        assertThat(work.port().get("/livez").status()).isEqualTo(200);
        Await.until("nothing is granted", () -> !owner.beat().json().at("leads").flag());
        assertThat(Duration.ofNanos(System.nanoTime() - cut)).isLessThan(AgentAtWork.LEASE.plusSeconds(1));
        work.wire.heal();
        Await.until("it is ready", () -> owner.beat().status() == 200 && isReady(200));
        owner.awaitLead();
    }

    @Test
    @Tag("realtime")
    void anAgentThatNobodyUsesNoticesALostCoordinator() {
        assertThat(isReady(200)).isTrue();

        work.wire.suffer(Fault.REFUSED);

        Await.within(AgentAtWork.LEASE, "it is not ready", () -> isReady(503));
    }

    private boolean isReady(int status) {
        return work.port().get("/readyz").status() == status;
    }

    @Test
    @Tag("realtime")
    void aTermIsNotVacatedBeforeTheSubLeaseHasPassed() throws IOException {
        try (AgentPair agents = new AgentPair(folder)) {
            LocalOwner first = agents.one.owner("job", 5000);
            first.awaitLead();
            LocalOwner second = agents.two.owner("job", 5000);
            long granted = System.nanoTime();
            long holds = first.beat().json().at("holdsMs").number();

            CompletableFuture<Void> closing = CompletableFuture.runAsync(agents.one.agent::close);
            second.awaitLead();

            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - granted))
                    .isBetween(holds, 2 * holds);
            closing.join();
        }
    }

    @Test
    @Tag("realtime")
    void anOperatorsResignationWaitsForTheOwnerAndCostsNoOtherTerm() throws Exception {
        try (AgentPair agents = new AgentPair(folder)) {
            LocalOwner first = agents.one.owner("job", 5000);
            long token = first.awaitLead().at("token").number();
            LocalOwner second = agents.two.owner("job", 5000);
            LocalOwner other = agents.one.owner("other", 5000);
            long kept = other.awaitLead().at("token").number();
            long granted = System.nanoTime();
            long holds = first.beat().json().at("holdsMs").number();

            CompletableFuture<?> resigned = ElectionAdmin.over(
                            agents.two.coordinator, agents.clocks, new ElectionName("job"), "ann@host")
                    .resign(Duration.ofSeconds(30))
                    .toCompletableFuture();
            Await.within(
                    Duration.ofSeconds(4),
                    "the owner hears of it",
                    () -> first.beat().json().at("ended").number() == token);
            Await.until("the next one leads, while the other owner goes on", () -> {
                assertThat(other.beat().json().at("token").number()).isEqualTo(kept);
                return second.beat().json().at("leads").flag();
            });

            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - granted))
                    .isBetween(holds, 2 * holds);
            assertThat(second.beat().json().at("token").number()).isGreaterThan(token);
            resigned.get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    @Tag("realtime")
    void anOperatorsTransferIsHeardWhileTheLeadershipStillHolds() throws Exception {
        try (AgentPair agents = new AgentPair(folder)) {
            LocalOwner first = agents.one.owner("job", 5000);
            first.awaitLead();
            LocalOwner second = agents.two.owner("job", 5000);
            String to = agents.candidate("job", 1);

            CompletableFuture<?> asked = ElectionAdmin.over(
                            agents.two.coordinator, agents.clocks, new ElectionName("job"), "ann@host")
                    .transferTo(to, Duration.ofSeconds(30))
                    .toCompletableFuture();
            Await.within(Duration.ofSeconds(4), "the owner hears of it", () -> {
                second.beat();
                return !first.beat().json().at("leads").flag();
            });
            first.leave();

            second.awaitLeadWithin(Duration.ofSeconds(4));
            assertThat(asked.get(30, TimeUnit.SECONDS)).isInstanceOf(RequestedTransfer.Transferred.class);
        }
    }

    @Test
    @Tag("realtime")
    void aTransferWaitsForAnOwnerThatIsSilentAndSucceeds() throws Exception {
        try (AgentPair agents = new AgentPair(folder)) {
            agents.one.owner("job", 8000).awaitLead();
            Duration lessThanTwice = Duration.ofSeconds(14);
            LocalOwner second = agents.two.owner("job", 8000);
            String to = agents.candidate("job", 1);

            CompletableFuture<?> asked = ElectionAdmin.over(
                            agents.two.coordinator, agents.clocks, new ElectionName("job"), "ann@host")
                    .transferTo(to, Duration.ofSeconds(30))
                    .toCompletableFuture();
            second.awaitLeadWithin(lessThanTwice);

            assertThat(asked.get(30, TimeUnit.SECONDS)).isInstanceOf(RequestedTransfer.Transferred.class);
        }
    }
}
