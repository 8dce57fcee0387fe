package dev.incumbent.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.agent.PlainHttp.Answer;
import dev.incumbent.wire.Json;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who leads, as programs and balancers ask for it. */
@Tag("patient")
@Timeout(60)
class ReadingTest extends WithTwoAgents {
    private static final String JOB = "/v1/elections/job";

    @Test
    void aBalancerFindsTheLeadersHost() {
        for (String path : List.of("/leader/job", "/healthz?leader=job")) {
            assertThat(agents.one.socket().get(path).status()).as(path).isEqualTo(503);
        }
        LocalOwner owner = agents.one.owner("job", AgentAtWork.LONG_TTL);
        long token = owner.awaitLead().at("token").number();

        for (String path : List.of("/leader/job", "/healthz?leader=job")) {
            assertThat(agents.one.socket().get(path).body()).isEqualTo("{\"token\":" + token + "}\n");
            assertThat(agents.two.socket().get(path).status()).as(path).isEqualTo(503);
            assertThat(agents.two.socket().get(path).sentence()).isEqualTo("no program of this host leads job now");
        }
        assertThat(agents.two.socket().get("/healthz").status())
                .as("a standby is healthy")
                .isEqualTo(200);

        owner.leave();
        Await.until(
                "it leads no more", () -> agents.one.socket().get("/leader/job").status() == 503);
    }

    @Test
    void aBalancerNeedsTheRightToRead() {
        PlainHttp billing = agents.one.port().bearing(AgentAtWork.STANDS);

        assertThat(agents.one.port().get("/leader/job").status()).isEqualTo(401);
        assertThat(agents.one.port().get("/healthz").status()).isEqualTo(401);
        assertThat(billing.get("/leader/job").status()).isEqualTo(403);
        assertThat(billing.get("/healthz?leader=job").status()).isEqualTo(403);
        assertThat(billing.get("/healthz").status()).isEqualTo(200);
        assertThat(billing.get("/leader/billing%2Fcloser").status()).isEqualTo(503);
    }

    @Test
    void whoKnowsTheIndexIsToldOfTheNextChange() throws Exception {
        assertThat(index()).as("nobody has ever led").isEqualTo(1);
        CompletableFuture<Answer> begun = awaitOther(1);
        LocalOwner owner = agents.one.owner("job", 6000);
        long token = owner.awaitLead().at("token").number();

        Json told = begun.get(10, TimeUnit.SECONDS).json();
        assertThat(told.at("index").number()).isEqualTo(2 * token);
        assertThat(told.at("leader").at("name").text()).isEqualTo("host-1");

        CompletableFuture<Answer> ended = awaitOther(2 * token);
        owner.leave();
        assertThat(ended.get(10, TimeUnit.SECONDS).json().at("index").number()).isEqualTo(2 * token + 1);
    }

    @Test
    void whoWaitsInVainIsToldWhatHolds() {
        agents.one.owner("job", 8000).awaitLead();
        long index = index();
        long asked = System.nanoTime();

        Answer answer = agents.two.socket().get(JOB + "?index=" + index + "&wait=700ms");

        assertThat(answer.json().at("index").number()).isEqualTo(index);
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - asked)).isBetween(700L, 10_000L);
        assertThat(agents.two
                        .socket()
                        .get(JOB + "?index=0&wait=20s")
                        .json()
                        .at("index")
                        .number())
                .as("another index is told at once")
                .isEqualTo(index);
        assertThat(agents.two.socket().get(JOB + "?index=many").status()).isEqualTo(400);
    }

    @Test
    void metricsNameWhatThisHostLeads() {
        agents.one.owner("job", 6000).awaitLead();

        Answer metrics = agents.one.socket().get("/metrics");

        assertThat(metrics.head()).contains("Content-Type: application/openmetrics-text; version=1.0.0");
        assertThat(metrics.body())
                .contains("leader_election_master_status{name=\"job\"} 1.0\n")
                .contains("incumbent_elections_led 1.0\n")
                .contains("incumbent_terms_begun_total 1.0\n")
                .contains("incumbent_coordinator_reachable 1.0\n")
                .contains("incumbent_lease_length_seconds 60.0\n")
                .contains("incumbent_coordinator_calls_seconds_count{operation=\"grant\",outcome=\"ok\"} 1\n")
                .endsWith("# EOF\n");
        assertThat(agents.one.port().bearing(AgentAtWork.STANDS).get("/metrics").status())
                .as("they name all elections")
                .isEqualTo(403);
        assertThat(agents.one.port().bearing(AgentAtWork.READS).get("/metrics").status())
                .isEqualTo(200);
    }

    private long index() {
        return agents.two.socket().get(JOB).json().at("index").number();
    }

    private CompletableFuture<Answer> awaitOther(long index) {
        return CompletableFuture.supplyAsync(
                () -> agents.two.socket().get(JOB + "?index=" + index + "&wait=15s"), AgentPair.ASKING);
    }
}
