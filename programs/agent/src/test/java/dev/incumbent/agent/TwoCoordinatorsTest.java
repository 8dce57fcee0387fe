package dev.incumbent.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.ElectionAdmin;
import dev.incumbent.ElectionAdmin.Until;
import dev.incumbent.agent.PlainHttp.Answer;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.memory.FaultyWire.Fault;
import dev.incumbent.model.ElectionName;
import dev.incumbent.wire.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One agent whose elections beneath {@code batch/} have a coordinator of their own: each request follows the prefixes. */
@Tag("realtime")
@Timeout(90)
class TwoCoordinatorsTest {
    private static final String NIGHTLY = "/v1/elections/batch%2Fnightly";

    @TempDir
    Path folder;

    private AgentOverTwo work;

    @BeforeEach
    void start() throws IOException {
        work = new AgentOverTwo(folder);
    }

    @AfterEach
    void end() {
        work.close();
    }

    @Test
    void anElectionIsDecidedAtTheCoordinatorOfItsPrefix() throws Exception {
        for (String election : List.of("web", "batch", "batch/nightly", "batch/near/x", "batches/x")) {
            work.owner(election).awaitLead();
        }

        assertThat(AgentOverTwo.names(work.memory)).containsExactly("batch/nightly");
        assertThat(AgentOverTwo.names(work.file)).containsExactly("batch", "batch/near/x", "batches/x", "web");
    }

    /** A record of the same name at the other coordinator is another election's, and says that it is frozen. */
    @Test
    void aProgramIsToldOfTheElectionAtTheCoordinatorOfItsPrefix() throws Exception {
        plant(work.file, "batch/nightly");
        LocalOwner owner = work.owner("batch/nightly");
        owner.beat("", "{\"stopped\":" + owner.awaitLead().at("token").number() + "}");
        long token = owner.awaitLead().at("token").number();

        assertThat(owner.beat().json().at("token").number()).isEqualTo(token);
        assertThat(get("/leader/batch%2Fnightly").status()).isEqualTo(200);
        assertThat(get("/healthz?leader=batch/nightly").status()).isEqualTo(200);
        assertThat(get(NIGHTLY + "/check?token=" + token + "&need=100ms").status())
                .isEqualTo(200);
        Json told = get(NIGHTLY).json();
        assertThat(told.at("token").number()).isEqualTo(token);
        assertThat(told.at("frozen").kind()).isEqualTo(Json.Kind.NULL);
        assertThat(told.at("here").at("token").number()).isEqualTo(token);
        long asked = System.nanoTime();
        assertThat(get(NIGHTLY + "?index=" + 2 * token + "&wait=500ms")
                        .json()
                        .at("index")
                        .number())
                .isEqualTo(2 * token);
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - asked))
                .as("nothing has changed")
                .isGreaterThanOrEqualTo(500);
        CompletableFuture<Answer> change = CompletableFuture.supplyAsync(
                () -> get(NIGHTLY + "?index=" + 2 * token + "&wait=20s"), AgentPair.ASKING);
        assertThat(owner.leave().status()).isEqualTo(200);
        assertThat(change.get(15, TimeUnit.SECONDS).json().at("index").number()).isEqualTo(2 * token + 1);
        assertThat(get(NIGHTLY + "/check?token=" + token).sentence()).endsWith("the last term is " + token);
    }

    @Test
    void anOperatorActsOnTheElectionAtTheCoordinatorOfItsPrefix() throws Exception {
        LocalOwner owner = work.owner("batch/nightly");
        long token = owner.awaitLead().at("token").number();

        assertThat(post("/transfer", "{\"to\":\"nobody\"}").status()).isEqualTo(412);
        CompletableFuture<Answer> resigns = CompletableFuture.supplyAsync(() -> post("/resign", ""), AgentPair.ASKING);
        stop(owner, token);
        assertThat(resigns.get(40, TimeUnit.SECONDS).status()).isEqualTo(200);
        long next = owner.awaitLead().at("token").number();
        CompletableFuture<Answer> freezes =
                CompletableFuture.supplyAsync(() -> post("/freeze", "{\"why\":\"two ledgers\"}"), AgentPair.ASKING);
        stop(owner, next);
        assertThat(freezes.get(40, TimeUnit.SECONDS).status()).isEqualTo(200);
        assertThat(get(NIGHTLY).json().at("frozen").at("why").text()).isEqualTo("two ledgers");
        assertThat(post("/thaw", "").json().at("outcome").text()).isEqualTo("thawed");
        assertThat(owner.awaitLead().at("token").number()).isGreaterThan(next);
        assertThat(AgentOverTwo.names(work.file)).isEmpty();
    }

    private static void stop(LocalOwner owner, long token) {
        Await.until(
                "the owner hears of it", () -> owner.beat().json().at("ended").number() == token);
        owner.beat("", "{\"stopped\":" + token + "}");
    }

    @Test
    void theListNamesEachElectionFromItsOwnCoordinatorAlone() throws Exception {
        plant(work.file, "batch/stray");
        plant(work.memory, "stray");
        plant(work.file, "web/a");
        plant(work.memory, "batch/nightly");
        plant(work.file, "batch/near/x");

        assertThat(get("/v1/elections").body())
                .isEqualTo("{\"elections\":[\"batch/near/x\",\"batch/nightly\",\"web/a\"]}\n");
        assertThat(work.port().bearing(AgentOverTwo.WEB).get("/v1/elections").body())
                .isEqualTo("{\"elections\":[\"web/a\"]}\n");
    }

    /** Writes a record of an election, which says that it is frozen. */
    private void plant(Coordinator coordinator, String election) throws Exception {
        ElectionAdmin.over(coordinator, work.clocks, new ElectionName(election), "ann@host")
                .freeze("planted", List.of(), Until.VACANT)
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
    }

    @Test
    void eachCoordinatorHasItsMeters() {
        work.owner("batch/nightly").awaitLead();
        work.owner("batch/weekly").awaitLead();
        work.owner("web").awaitLead();
        work.wire.suffer(Fault.SILENT);

        Await.until(
                "the outage is told",
                () -> get("/metrics").body().contains("incumbent_coordinator_reachable{coordinator=\"batch/\"} 0.0\n"));
        assertThat(get("/metrics").body())
                .contains("incumbent_coordinator_reachable{coordinator=\"*\"} 1.0\n")
                .contains("incumbent_terms_begun_total{coordinator=\"batch/\"} 2.0\n")
                .contains("incumbent_terms_begun_total{coordinator=\"*\"} 1.0\n")
                .contains("leader_election_master_status{coordinator=\"*\",name=\"web\"} 1.0\n");
    }

    @Test
    void anAgentIsReadyOnceEveryCoordinatorAnswersAndTellsWhoMayReadAllWhichDoesNot() {
        assertThat(get("/readyz").status()).isEqualTo(200);

        work.wire.suffer(Fault.REFUSED);

        Await.until("it is not ready", () -> get("/readyz").status() == 503);
        String named = "the agent is not ready: no answer from the coordinator of batch/";
        assertThat(get("/readyz").sentence()).isEqualTo(named);
        assertThat(work.port().bearing(AgentOverTwo.READS).get("/readyz").sentence())
                .isEqualTo(named);
        for (PlainHttp stranger : List.of(work.port(), work.port().bearing(AgentOverTwo.WEB))) {
            assertThat(stranger.get("/readyz").sentence()).isEqualTo("the agent is not ready");
        }
        assertThat(work.port().get("/livez").status()).isEqualTo(200);
        work.wire.heal();
        Await.until("it is ready", () -> get("/readyz").status() == 200);
    }

    @Test
    void aCoordinatorThatStandsStillDelaysNoOwnerOfAnother() {
        LocalOwner batch = work.owner("batch/nightly");
        batch.awaitLead();
        try (WatchedOwner web = new WatchedOwner(work.owner("web/a"))) {
            work.wire.suffer(Fault.SILENT);
            List<CompletableFuture<Answer>> unanswered = java.util.stream.IntStream.range(0, 40)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> get(NIGHTLY), AgentPair.ASKING))
                    .toList();

            assertThat(work.owner("web/b").awaitLead().at("token").number()).isPositive();
            assertThat(get("/v1/elections/web%2Fa").status()).isEqualTo(200);
            assertThat(work.port()
                            .bearing(AgentOverTwo.WEB)
                            .get("/v1/elections")
                            .body())
                    .contains("web/a", "web/b");
            Await.within(
                    AgentAtWork.LEASE.plusSeconds(4),
                    "nothing is granted",
                    () -> !batch.beat().json().at("leads").flag());
            assertThat(get("/v1/elections").sentence())
                    .startsWith("the coordinator did not answer: the one of batch/: no answer within");
            assertThat(unanswered)
                    .allSatisfy(one -> assertThat(one.join().status()).isEqualTo(503));
            assertThat(web.troubles()).isEmpty();
            assertThat(web.unanswered()).isZero();
            assertThat(web.answered()).isGreaterThan(10);
        }
        work.wire.heal();
        batch.awaitLead();
    }

    @Test
    void anOverviewTellsTheElectionsOfTheCoordinatorThatAnswers() {
        work.owner("batch/nightly").awaitLead();
        long token = work.owner("web").awaitLead().at("token").number();
        work.wire.suffer(Fault.SILENT);

        List<Json> told = get("/v1/overview?of=batch%2Fnightly,web")
                .json()
                .at("elections")
                .items();

        assertThat(told.get(0).at("unread").text())
                .startsWith("unread: the coordinator of batch/ did not answer: no answer within");
        assertThat(told.get(1).has("unread")).isFalse();
        assertThat(told.get(1).at("token").number()).isEqualTo(token);
    }

    private Answer get(String path) {
        return work.socket().get(path);
    }

    private Answer post(String verb, String body) {
        return work.socket().post(NIGHTLY + verb, body);
    }
}
