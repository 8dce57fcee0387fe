package dev.incumbent.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.agent.PlainHttp.Answer;
import dev.incumbent.coordinator.memory.FaultyWire.Fault;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Feature;
import dev.incumbent.model.Holder;
import dev.incumbent.model.Holders;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.NodeBoot;
import dev.incumbent.model.Revision;
import dev.incumbent.wire.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many elections stand at one go, and what their past terms were. */
@Tag("patient")
@Timeout(60)
class OverviewTest extends WithAgent {
    @Test
    void someElectionsAreToldAtOnce() {
        long token = work.owner("billing/closer", 6000).awaitLead().at("token").number();

        List<Json> told =
                overview("never,billing%2Fcloser").json().at("elections").items();

        assertThat(told).hasSize(2);
        Json led = told.get(0);
        assertThat(led.at("election").text()).isEqualTo("billing/closer");
        assertThat(led.at("leader").at("name").text()).isEqualTo("host-1");
        assertThat(led.at("token").number()).isEqualTo(token);
        assertThat(led.at("leaseAlive").flag()).isTrue();
        assertThat(led.at("index").number()).isEqualTo(2 * token);
        assertThat(led.at("leaseMs").number()).isEqualTo(AgentAtWork.LONG_LEASE.toMillis());
        assertThat(led.at("leaseRemainingMs").number()).isBetween(1L, AgentAtWork.LONG_LEASE.toMillis());
        Json here = work.socket().get("/v1/elections/billing%2Fcloser").json().at("here");
        assertThat(here.at("remainingMs").number()).isBetween(1L, AgentAtWork.LONG_LEASE.toMillis());
        Json never = told.get(1);
        assertThat(never.at("token").number()).isZero();
        for (String nothing : List.of("leader", "frozen", "since", "leaseMs", "leaseRemainingMs")) {
            assertThat(never.at(nothing).kind()).as(nothing).isEqualTo(Json.Kind.NULL);
        }
    }

    /** Its record is written by hand: the lease is renewed by nobody, and revoked in the end. */
    @Test
    @Tag("realtime")
    void aLeaderWhoseLeaseIsNotRenewedIsInJeopardyUntilItIsGone() throws Exception {
        Candidate leader = new Candidate(new CandidateId("x@host-9-r"), "x", "");
        LeaseId lease =
                of(work.coordinator.grant(leader.id(), Duration.ofMinutes(2))).id();
        LeaderRecord record = LeaderRecord.EMPTY
                .claimedBy(7, leader, lease, Duration.ofMinutes(10), Instant.parse("2026-11-20T12:00:00Z"))
                .written("nonce");
        of(work.coordinator.swap(new ElectionName("job"), Revision.ABSENT, record));

        Json led = overview("job").json().at("elections").items().get(0);
        of(work.coordinator.revoke(lease));
        Json gone = overview("job").json().at("elections").items().get(0);

        assertThat(led.at("since").text()).isEqualTo("2026-11-20T12:00:00Z");
        assertThat(led.at("leaseAlive").flag()).isTrue();
        assertThat(led.at("jeopardy").flag()).isTrue();
        assertThat(led.at("leaseMs").number()).isEqualTo(600_000);
        assertThat(led.at("leaseRemainingMs").number()).isBetween(30_000L, 120_000L);
        assertThat(gone.at("leader").at("name").text()).isEqualTo("x");
        assertThat(gone.at("leaseAlive").flag()).isFalse();
        assertThat(gone.at("leaseRemainingMs").kind()).isEqualTo(Json.Kind.NULL);
    }

    /** What the dashboard shows in a row, and as an alarm. */
    @Test
    void whoMayStillActIsTold() throws Exception {
        Candidate leader = new Candidate(new CandidateId("x@host-9-r"), "x", "");
        LeaseId lease =
                of(work.coordinator.grant(leader.id(), Duration.ofMinutes(2))).id();
        LeaderRecord record = LeaderRecord.EMPTY
                .claimedBy(8, leader, lease, Duration.ofMinutes(2), Instant.parse("2026-11-20T12:00:00Z"))
                .withRequires(Set.of(Feature.STONITH))
                .withHolders(Holders.of(List.of(holder(7, "y@host-8-r", "n8"), holder(8, "x@host-9-r", "n9"))))
                .written("nonce");
        of(work.coordinator.swap(new ElectionName("disk"), Revision.ABSENT, record));

        List<Json> told = overview("disk,never").json().at("elections").items();

        List<Json> holders = told.get(0).at("stonith").at("holders").items();
        assertThat(holders).extracting(one -> one.at("node").text()).containsExactly("n8", "n9");
        assertThat(holders).extracting(one -> one.at("term").number()).containsExactly(7L, 8L);
        assertThat(holders).extracting(one -> one.at("leads").flag()).containsExactly(false, true);
        assertThat(told.get(1).has("stonith")).isFalse();
    }

    private static Holder holder(long term, String candidate, String node) {
        return new Holder(term, new CandidateId(candidate), new NodeBoot(node, "boot-1", "7:1:x"));
    }

    private static <T> T of(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @Test
    void aFreezeIsToldWithItsReason() {
        LocalOwner owner = work.owner("job", 6000);
        owner.awaitLead();
        owner.leave();
        assertThat(work.socket()
                        .post("/v1/elections/job/freeze", "{\"why\":\"two ledgers\"}")
                        .status())
                .isEqualTo(200);

        Json told = overview("job").json().at("elections").items().get(0);

        assertThat(told.at("frozen").at("why").text()).isEqualTo("two ledgers");
        assertThat(told.at("leader").kind()).isEqualTo(Json.Kind.NULL);
    }

    @Test
    @Tag("realtime")
    void whatCannotBeReadSaysWhy() {
        work.owner("job", 6000).awaitLead();
        work.wire.suffer(Fault.SILENT);

        Answer answer = overview("job,other");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().at("elections").items())
                .hasSize(2)
                .allSatisfy(one -> assertThat(one.at("unread").text()).contains("no answer within"));
    }

    @Test
    void oneThatMayNotBeReadRefusesAll() {
        PlainHttp billing = work.port().bearing(AgentAtWork.STANDS);

        assertThat(billing.get("/v1/overview?of=billing/a").status()).isEqualTo(200);
        assertThat(billing.get("/v1/overview?of=billing/a,job").sentence())
                .isEqualTo("this token has no right to the election job");
        assertThat(billing.get("/v1/elections/job/history").status()).isEqualTo(403);
        assertThat(work.port().get("/v1/overview?of=job").status()).isEqualTo(401);
    }

    @Test
    void itNamesOneToAHundred() {
        assertThat(overview(String.join(",", Collections.nCopies(100, "job"))).status())
                .isEqualTo(200);
        assertThat(overview(String.join(",", Collections.nCopies(101, "job"))).sentence())
                .isEqualTo("'of' names 101 elections; it names 1 to 100");
        assertThat(overview("").status()).isEqualTo(400);
        assertThat(overview("a,,b").status()).isEqualTo(400);
        assertThat(work.socket().get("/v1/overview").status()).isEqualTo(400);
    }

    @Test
    void theTermsThatAreOverAreToldWithWhyTheyEnded() {
        assertThat(terms()).isEmpty();
        LocalOwner first = work.owner("job", AgentAtWork.LONG_TTL);
        long token = first.awaitLead().at("token").number();
        assertThat(terms()).as("it is not over").isEmpty();

        first.leave();
        Await.until("the term is over", () -> !terms().isEmpty());
        work.owner("job", 6000).awaitLead();

        Json past = terms().get(0);
        assertThat(past.at("term").number()).isEqualTo(token);
        assertThat(past.at("leader").at("name").text()).isEqualTo("host-1");
        assertThat(past.at("reason").text()).isEqualTo("closed");
        assertThat(past.at("from").text()).isLessThan(past.at("to").text());
        assertThat(terms()).hasSize(1);
    }

    private Answer overview(String of) {
        return work.socket().get("/v1/overview?of=" + of);
    }

    private List<Json> terms() {
        return work.socket().get("/v1/elections/job/history").json().at("terms").items();
    }
}
