package dev.incumbent.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.agent.PlainHttp.Answer;
import dev.incumbent.coordinator.memory.FaultyWire.Fault;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.wire.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an operator does over HTTP, with two agents and real owners. */
@Tag("patient")
@Timeout(90)
class OperatingTest extends WithTwoAgents {
    private static final String JOB = "/v1/elections/job";

    @Test
    void aTransferIsAnsweredOnceTheSuccessorLeads() {
        LocalOwner first = agents.one.owner("job", AgentAtWork.LONG_TTL);
        long token = first.awaitLead().at("token").number();
        LocalOwner second = agents.two.owner("job", AgentAtWork.LONG_TTL);
        String to = agents.candidate("job", 1);

        CompletableFuture<Answer> asked = ask("transfer", "{\"to\":\"" + to + "\"}");
        awaitEndAndStop(first, second, token);
        Answer answer = asked.join();

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.json().at("outcome").text()).isEqualTo("transferred");
        assertThat(answer.json().at("leader").at("id").text()).isEqualTo(to);
        assertThat(second.beat().json().at("token").number())
                .isEqualTo(answer.json().at("token").number())
                .isGreaterThan(token);
    }

    @Test
    void aResignationIsAnsweredOnceAnotherLeads() {
        LocalOwner first = agents.one.owner("job", AgentAtWork.LONG_TTL);
        long token = first.awaitLead().at("token").number();
        LocalOwner second = agents.two.owner("job", AgentAtWork.LONG_TTL);
        String next = agents.candidate("job", 1);

        CompletableFuture<Answer> asked = ask("resign", "");
        awaitEndAndStop(first, second, token);
        Answer answer = asked.join();

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.json().at("outcome").text()).isEqualTo("resigned");
        assertThat(answer.json().at("ended").number()).isEqualTo(token);
        assertThat(answer.json().at("leader").at("id").text()).isEqualTo(next);
    }

    @Test
    void aFreezeStopsTheLeaderUntilAThaw() {
        LocalOwner owner = agents.one.owner("job", AgentAtWork.LONG_TTL);
        long token = owner.awaitLead().at("token").number();

        CompletableFuture<Answer> asked = ask("freeze", "{\"why\":\"two ledgers\",\"by\":\"ann@desk\"}");
        Await.until(
                "the owner hears of it", () -> owner.beat().json().at("ended").number() == token);
        owner.beat("", "{\"stopped\":" + token + "}");
        Answer frozen = asked.join();

        assertThat(frozen.status()).as(frozen.body()).isEqualTo(200);
        assertThat(frozen.json().at("closed").flag()).isTrue();
        Json told = agents.two.socket().get(JOB).json().at("frozen");
        assertThat(told.at("why").text()).isEqualTo("two ledgers");
        assertThat(told.at("by").text()).startsWith("ann@desk-");
        assertThat(owner.beat().json().at("leads").flag()).isFalse();

        assertThat(ask("thaw", "").join().json().at("outcome").text()).isEqualTo("thawed");
        assertThat(owner.awaitLead().at("token").number()).isGreaterThan(token);
        assertThat(ask("thaw", "").join().json().at("outcome").text()).isEqualTo("not-frozen");
    }

    @Test
    void aCordonIsToldBesideItsCandidateUntilItIsTakenBack() {
        agents.one.owner("job", AgentAtWork.LONG_TTL).awaitLead();
        agents.two.owner("job", AgentAtWork.LONG_TTL);
        String second = agents.candidate("job", 1);
        String whom = "{\"whom\":\"" + second + "\",\"by\":\"ann@desk\"";

        Json cordoned = ask("cordon", whom + ",\"why\":\"new disk\"}").join().json();
        Json told = agents.two.socket().get(JOB).json();
        Json again = ask("cordon", whom + ",\"why\":\"other\"}").join().json();

        assertThat(cordoned.at("outcome").text()).isEqualTo("cordoned");
        assertThat(cordoned.at("changed").flag()).isTrue();
        assertThat(again.at("changed").flag()).isFalse();
        assertThat(again.at("cordon").at("why").text()).isEqualTo("new disk");
        assertThat(told.at("cordons").items()).singleElement().satisfies(one -> {
            assertThat(one.at("whom").text()).isEqualTo(second);
            assertThat(one.at("why").text()).isEqualTo("new disk");
            assertThat(one.at("by").text()).startsWith("ann@desk-");
        });
        assertThat(told.at("candidates").items().get(0).has("cordoned")).isFalse();
        assertThat(told.at("candidates").items().get(1).at("cordoned").flag()).isTrue();

        Json lifted = ask("uncordon", whom + "}").join().json();
        assertThat(lifted.at("outcome").text()).isEqualTo("uncordoned");
        assertThat(lifted.at("changed").flag()).isTrue();
        assertThat(ask("uncordon", whom + "}").join().json().at("changed").flag())
                .isFalse();
        assertThat(agents.two.socket().get(JOB).json().at("cordons").items()).isEmpty();
    }

    @Test
    void aTransferIsPlannedToldAndTakenBack() {
        agents.one.owner("job", AgentAtWork.LONG_TTL).awaitLead();
        Instant then = inAnHour();
        String plan = "{\"to\":\"host-9\",\"by\":\"ann@desk\",\"notBefore\":\"" + then + "\"}";

        Json planned = ask("transfer", plan).join().json();
        Json told = agents.two.socket().get(JOB).json().at("planned");
        Json cancelled = ask("cancel-transfer", "").join().json();

        assertThat(planned.at("outcome").text()).isEqualTo("planned");
        assertThat(planned.at("stands").flag()).isFalse();
        assertThat(told.at("to").text()).isEqualTo("host-9");
        assertThat(told.at("notBefore").text()).isEqualTo(then.toString());
        assertThat(told.at("by").text()).startsWith("ann@desk-");
        assertThat(cancelled.at("outcome").text()).isEqualTo("cancelled");
        assertThat(cancelled.at("was").at("to").text()).isEqualTo("host-9");
        assertThat(agents.two.socket().get(JOB).json().at("planned").kind()).isEqualTo(Json.Kind.NULL);
    }

    private static Instant inAnHour() {
        try (SystemTimeline time = new SystemTimeline()) {
            return Instant.ofEpochMilli(time.wallMillis())
                    .truncatedTo(ChronoUnit.SECONDS)
                    .plusSeconds(3_600);
        }
    }

    @Test
    @Tag("realtime")
    void aFreezeMayWaitUntilNobodyCanBelieve() {
        agents.one.owner("job", 6000).awaitLead();
        agents.one.wire.suffer(Fault.SILENT);

        Answer vacant = agents.two.socket().post(JOB + "/freeze", "{\"why\":\"cut off\"}");
        Answer quiet = agents.two.socket().post(JOB + "/freeze", "{\"why\":\"cut off\",\"wait\":\"quiet\"}");

        assertThat(vacant.json().at("quiet").flag()).as(vacant.body()).isFalse();
        assertThat(quiet.json().at("quiet").flag()).as(quiet.body()).isTrue();
        assertThat(quiet.json().at("untilQuietMs").number()).isZero();
    }

    @Test
    @Tag("realtime")
    void whoOperatedIsRecorded() {
        agents.one.owner("job", 6000).awaitLead();

        ask("freeze", "{\"why\":\"over the socket\"}").join();
        assertThat(frozenBy()).startsWith(HostAgent.ownUser() + "@agent-");

        ask("thaw", "").join();
        PlainHttp port = agents.two.port().bearing(AgentAtWork.OPERATES);
        assertThat(port.post(JOB + "/freeze", "{\"why\":\"over the port\"}").status())
                .isEqualTo(200);
        assertThat(frozenBy()).startsWith("token@agent-");
    }

    private String frozenBy() {
        return agents.two.socket().get(JOB).json().at("frozen").at("by").text();
    }

    @Test
    void whatCannotBeSaysSoAndDoesNothing() {
        long token = agents.one.owner("job", 6000).awaitLead().at("token").number();
        agents.two.owner("job", 6000);
        agents.candidate("job", 1);

        refused(404, "transfer", "/v1/elections/jbo", "{\"to\":\"host-1\"}", "there is no election jbo");
        refused(404, "freeze", "/v1/elections/jbo", "{\"why\":\"x\"}", "there is no election jbo");
        refused(409, "transfer", JOB, "{\"to\":\"host-1\"}", "means several candidates of job");
        refused(412, "transfer", JOB, "{\"to\":\"nobody\"}", "nobody");
        refused(400, "transfer", JOB, "{}", "the body needs the field to");
        refused(400, "transfer", JOB, "{\"to\":\"x\",\"timeoutMs\":0}", "timeoutMs is 1 to 300000");
        refused(400, "transfer", JOB, "{\"to\":\"x\",\"timeoutMs\":300001}", "timeoutMs is 1 to 300000");
        refused(400, "transfer", JOB, "{\"to\":\"x\",\"notBefore\":\"02:00\"}", "is no time with an offset");
        refused(412, "transfer", JOB, "{\"to\":\"x\",\"notBefore\":\"2026-01-01T00:00Z\"}", "has passed");
        refused(404, "cancel-transfer", "/v1/elections/jbo", "", "there is no election jbo");
        refused(400, "freeze", JOB, "{\"why\":\" \"}", "the body needs the field why");
        refused(400, "freeze", JOB, "{\"why\":\"a\\nb\"}", "none of them a control character");
        refused(400, "freeze", JOB, "{\"why\":\"x\",\"wait\":\"long\"}", "wait is quiet");
        refused(400, "freeze", JOB, "{\"why\":\"x\",\"by\":\"two words\"}", "by is one word");
        refused(404, "cordon", "/v1/elections/jbo", "{\"whom\":\"h1\",\"why\":\"x\"}", "there is no election jbo");
        refused(404, "uncordon", "/v1/elections/jbo", "{\"whom\":\"h1\"}", "there is no election jbo");
        refused(400, "cordon", JOB, "{\"whom\":\"h1\"}", "the body needs the field why");
        refused(400, "cordon", JOB, "{\"why\":\"x\"}", "the body needs the field whom");
        refused(400, "cordon", JOB, "{\"whom\":\"h 1\",\"why\":\"x\"}", "'h 1' has a blank or control character");
        refused(400, "cordon", JOB, "{\"whom\":\"h1\",\"why\":\"a\\nb\"}", "has a control character at position 2");
        refused(400, "uncordon", JOB, "{\"whom\":\"h 1\"}", "has a blank or control character at position 2");
        refused(400, "uncordon", JOB, "{\"whom\":\"h1\",\"why\":\"x\"}", "why");
        assertThat(agents.one.socket().get(JOB).json().at("token").number()).isEqualTo(token);
        assertThat(agents.one.socket().get(JOB).json().at("frozen").kind()).isEqualTo(Json.Kind.NULL);
    }

    private void refused(int status, String verb, String election, String body, String sentence) {
        Answer answer = agents.two.socket().post(election + "/" + verb, body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.isProblem()).isTrue();
        assertThat(answer.sentence()).contains(sentence);
    }

    @Test
    @Tag("realtime")
    void aTransferThatTheLeaderDoesNotHearIsTakenBack() {
        agents.one.owner("job", 6000).awaitLead();
        agents.two.owner("job", 6000);
        String to = agents.candidate("job", 1);
        agents.one.wire.suffer(Fault.SILENT);

        Answer late = agents.two.socket().post(JOB + "/transfer", "{\"to\":\"" + to + "\",\"timeoutMs\":300}");

        assertThat(late.status()).as(late.body()).isEqualTo(504);
        assertThat(late.json().at("result").at("outcome").text()).isEqualTo("taken-back");
        assertThat(late.sentence()).contains("goes on under");
    }

    @Test
    void onlyWhoMayOperateDoes() {
        agents.one.owner("billing/closer", 6000).awaitLead();
        String freeze = "/v1/elections/billing%2Fcloser/freeze";
        String why = "{\"why\":\"x\"}";

        assertThat(agents.one
                        .port()
                        .bearing(AgentAtWork.STANDS)
                        .post(freeze, why)
                        .sentence())
                .isEqualTo("this token may stand in the election billing/closer, and may not transfer, resign, freeze,"
                        + " thaw or cordon it");
        assertThat(agents.one
                        .port()
                        .bearing(AgentAtWork.READS)
                        .post(freeze, why)
                        .status())
                .isEqualTo(403);
        assertThat(agents.one.port().post(freeze, why).status()).isEqualTo(401);
        for (String verb : new String[] {"transfer", "cancel-transfer", "resign", "thaw", "cordon", "uncordon"}) {
            assertThat(agents.one
                            .port()
                            .bearing(AgentAtWork.STANDS)
                            .post("/v1/elections/billing%2Fcloser/" + verb, "")
                            .status())
                    .as(verb)
                    .isEqualTo(403);
        }
        assertThat(agents.one
                        .port()
                        .bearing(AgentAtWork.OPERATES)
                        .post("/v1/elections/billing%2Fcloser/campaign", "{\"ttlMs\":2000}")
                        .status())
                .as("who may operate may stand")
                .isEqualTo(201);
    }

    private CompletableFuture<Answer> ask(String verb, String body) {
        return CompletableFuture.supplyAsync(() -> agents.two.socket().post(JOB + "/" + verb, body), AgentPair.ASKING);
    }

    /** The first owner is told of the end, and says that it has stopped; the second one keeps its candidacy meanwhile. */
    private static void awaitEndAndStop(LocalOwner first, LocalOwner second, long token) {
        Await.until("the owner hears of it", () -> {
            second.beat();
            return first.beat().json().at("ended").number() == token;
        });
        first.beat("", "{\"stopped\":" + token + "}");
        second.awaitLead();
    }
}
