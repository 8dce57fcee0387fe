package dev.incumbent.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.agent.PlainHttp.Answer;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Feature;
import dev.incumbent.model.Holder;
import dev.incumbent.model.HolderProof;
import dev.incumbent.model.Holders;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.NodeBoot;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.Revision;
import dev.incumbent.wire.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
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

    /** Each answer is held to the description, too. */
    @Test
    void whoAsksIsToldWhoMayStillActAndWhatProvedThatOthersDoNot() {
        Candidate former = new Candidate(new CandidateId("ada@h1-7-x"), "ada", "");
        Instant noon = Instant.parse("2026-11-20T12:00:00Z");
        LeaderRecord record = LeaderRecord.EMPTY
                .remembering(new PastTerm(1, former, noon, noon, EndReason.LEASE_LOST, Duration.ofSeconds(9)))
                .remembering(new PastTerm(2, former, noon, noon, EndReason.LEASE_LOST, Duration.ofSeconds(9)))
                .vacated(2, noon)
                .withRequires(Set.of(Feature.STONITH))
                .withHolders(Holders.of(List.of(holder(1, former), holder(2, former))))
                .withProof(1, new HolderProof(HolderProof.Kind.CONFIRMED, "ann", "its plug is pulled", noon))
                .written("n1");
        agents.one
                .coordinator
                .swap(new ElectionName("job"), Revision.ABSENT, record)
                .toCompletableFuture()
                .join();

        Json stonith = agents.one.socket().get(JOB).json().at("stonith");
        List<Json> terms =
                agents.one.socket().get(JOB + "/history").json().at("terms").items();

        assertThat(stonith.at("holders").items()).hasSize(1);
        assertThat(stonith.at("holders").items().get(0).at("node").text()).isEqualTo("n1");
        assertThat(stonith.at("proved").items().get(0).at("by").text()).isEqualTo("ann");
        assertThat(terms.get(0).at("stonith").at("verified").flag()).isTrue();
        assertThat(terms.get(1).at("stonith").at("verified").flag()).isFalse();
    }

    private static Holder holder(long term, Candidate candidate) {
        return new Holder(term, candidate.id(), new NodeBoot("n1", "boot-1", "7:1:x"));
    }

    private long index() {
        return agents.two.socket().get(JOB).json().at("index").number();
    }

    private CompletableFuture<Answer> awaitOther(long index) {
        return CompletableFuture.supplyAsync(
                () -> agents.two.socket().get(JOB + "?index=" + index + "&wait=15s"), AgentPair.ASKING);
    }
}
