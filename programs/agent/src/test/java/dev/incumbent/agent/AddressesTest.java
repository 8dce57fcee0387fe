package dev.incumbent.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.ElectionListener;
import dev.incumbent.agent.PlainHttp.Answer;
import dev.incumbent.agent.elections.ElectionRouter;
import dev.incumbent.agent.elections.HostSetup;
import dev.incumbent.agent.http.AgentServer;
import dev.incumbent.agent.http.Listen;
import dev.incumbent.agent.http.Meters;
import dev.incumbent.agent.http.Rights;
import dev.incumbent.model.Timing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What addresses, parameters and bodies mean, to the character. */
@Tag("patient")
@Timeout(60)
class AddressesTest extends WithAgent {
    private static final String ELECTION = "/v1/elections/billing%2Fcloser";
    private static final String CAMPAIGN = ELECTION + "/campaign";

    @Test
    void aDurationIsOfMillisecondsSecondsOrMinutes() {
        String check = ELECTION + "/check?token="
                + work.owner("billing/closer", 6000).awaitLead().at("token").number() + "&need=";

        assertThat(sentence(check + "60000ms")).contains("and 60000 ms are needed");
        assertThat(sentence(check + "60s")).contains("and 60000 ms are needed");
        assertThat(sentence(check + "2m")).contains("and 120000 ms are needed");
        assertThat(sentence(check + "999999999m")).contains(" ms are needed");
        for (String none : List.of("9999999999s", "1h", "1.5s", "-1s", "1", "s", "")) {
            assertThat(sentence(check + none)).as(none).contains("durations are written 500ms, 2s or 1m");
        }
    }

    @Test
    void aTokenIsAWholeNumberFromOneOn() {
        for (String none : List.of("0", "-1", "1.5", "9223372036854775808", "")) {
            assertThat(work.socket().get(ELECTION + "/check?token=" + none).status())
                    .as(none)
                    .isEqualTo(400);
        }
        assertThat(sentence(ELECTION + "/check?token=1&token=1")).isEqualTo("a parameter of the query stands twice");
    }

    @Test
    void aPlusIsAPlus() {
        assertThat(sentence("/v1/elections/a+b")).contains("has '+' at position 2");
    }

    @Test
    void theNameOfAnOwnerIsOneLineOfSomeLength() {
        assertThat(stand("{\"ttlMs\":2000,\"name\":\"" + "a".repeat(128) + "\"}")
                        .status())
                .isEqualTo(201);
        for (String name : List.of("", "a".repeat(129), "a\\nb", "\\u0000")) {
            assertThat(stand("{\"ttlMs\":2000,\"name\":\"" + name + "\"}").sentence())
                    .as(name)
                    .startsWith("name has 1 to 128 characters");
        }
        assertThat(stand("{\"ttlMs\":-9223372036854775808}").sentence()).startsWith("ttlMs is 1000 to 60000");
    }

    @Test
    void anOwnerIsToldWhatItNeedsAndNothingElse() {
        assertThat(stand("{\"ttlMs\":6000}").json().at("heartbeatMs").number()).isEqualTo(1633);
        work.owner("billing/closer", 6000).awaitLead();
        LocalOwner second = work.owner("billing/closer", 6000);

        assertThat(second.beat().body()).isEqualTo("{\"leads\":false,\"place\":3}\n");
        assertThat(second.leave().body()).isEqualTo("{}\n");
    }

    @Test
    void readingEndsNoCandidacy() {
        LocalOwner owner = work.owner("billing/closer", 6000);

        assertThat(work.socket().get(owner.address()).status()).isEqualTo(405);

        assertThat(owner.beat().status()).isEqualTo(200);
    }

    @Test
    void aSentenceIsOneLineAndRepeatsNoMoreThanAPersonReads() {
        Answer answer = stand("{\"a\\n\\u0085" + "b".repeat(10_000) + "\":1}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.sentence())
                .startsWith("the body has the unknown field 'a??bbb")
                .hasSizeLessThan(600);
        assertThat(work.socket().ask("X".repeat(3_000), ELECTION, "").sentence())
                .hasSizeLessThan(600);
    }

    @Test
    void aNumberOfAThousandDigitsIsNoFailureOfTheAgent() {
        Answer answer = stand("{\"ttlMs\":" + "9".repeat(1_001) + "}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.sentence()).isEqualTo("the body is no JSON: a number or a name is too long");
    }

    @Test
    void anAnswerDoesNotSayWhatTheAgentIsMadeOf() {
        for (Answer answer : List.of(
                work.port().get("/livez"),
                work.port().get("/v1/elections"),
                work.port().get("/%"),
                work.port().ask("\u0001", "/livez", ""))) {
            assertThat(answer.head()).doesNotContainIgnoringCase("server:", "jetty", "date:");
            assertThat(answer.body()).doesNotContainIgnoringCase("jetty");
        }
    }

    @Test
    void whoShowsTwoTokensShowsNone() {
        PlainHttp right = work.port().bearing(AgentAtWork.READS);

        assertThat(right.get("/v1/elections").status()).isEqualTo(200);
        assertThat(right.bearing("another-token-of-nobody").get("/v1/elections").status())
                .isEqualTo(401);
        assertThat(right.bearing(AgentAtWork.READS).get("/v1/elections").status())
                .isEqualTo(401);
    }

    @Test
    void aFileThatIsNoSocketStays(@TempDir Path other) throws IOException {
        Path file = Files.writeString(other.resolve("agent.sock"), "somebody's");

        assertThatThrownBy(() -> new AgentAtWork(other).close())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is no socket, and stays");

        assertThat(file).hasContent("somebody's");
    }

    @Test
    void theHostOfARequestMayBeTheAddressThatTheAgentListensOn() throws IOException {
        HostSetup setup = new HostSetup(
                work.coordinator, Timing.ofLease(AgentAtWork.LONG_LEASE), Optional.of("host-1"), "", List.of());
        try (ElectionRouter elections = ElectionRouter.open(setup, which -> ElectionListener.NONE);
                AgentServer server = AgentServer.open(
                        List.of(new Listen.Tcp("127.0.0.2", 0)),
                        Optional.of(Rights.of(work.tokens, work.said::add)),
                        HostAgent.ownUser(),
                        elections,
                        new Meters())) {
            PlainHttp port = PlainHttp.to(server.listens().get(0));

            assertThat(port.get("/livez").status()).isEqualTo(200);
            assertThat(port.forHost("127.0.0.2").get("/livez").status()).isEqualTo(421);
        }
    }

    private String sentence(String path) {
        return work.socket().get(path).sentence();
    }

    private Answer stand(String body) {
        return work.socket().post(CAMPAIGN, body);
    }
}
