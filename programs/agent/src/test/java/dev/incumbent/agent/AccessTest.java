package dev.incumbent.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.agent.PlainHttp.Answer;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who may ask, and how much, over real sockets. */
@Tag("patient")
@Timeout(60)
class AccessTest extends WithAgent {
    private static final String ELECTION = "/v1/elections/billing%2Fcloser";
    private static final String STAND = "{\"ttlMs\":2000}";

    @Test
    void withoutATokenAPortAnswersNothingButItsHealth() {
        assertThat(work.port().get("/livez").status()).isEqualTo(200);
        assertThat(work.port().get("/readyz").status()).isEqualTo(200);

        for (PlainHttp unknown : List.of(work.port(), work.port().bearing("another-token-of-nobody"))) {
            Answer answer = unknown.get("/v1/elections");
            assertThat(answer.status()).isEqualTo(401);
            assertThat(answer.isProblem()).isTrue();
            assertThat(answer.sentence()).contains("Authorization: Bearer TOKEN");
            assertThat(unknown.get("/nowhere").status()).isEqualTo(401);
        }
    }

    @Test
    void aTokenReachesItsPrefixAlone() {
        PlainHttp stands = work.port().bearing(AgentAtWork.STANDS);

        assertThat(stands.post(ELECTION + "/campaign", STAND).status()).isEqualTo(201);
        assertThat(stands.get(ELECTION).status()).isEqualTo(200);
        assertThat(stands.get("/v1/elections/shop").status()).isEqualTo(403);
        assertThat(stands.get("/v1/elections/billing").status())
                .as("not beneath billing/")
                .isEqualTo(403);
        assertThat(stands.post("/v1/elections/shop/campaign", STAND).sentence())
                .isEqualTo("this token has no right to the election shop");
    }

    @Test
    void aTokenThatReadsDoesNotStand() {
        PlainHttp reads = work.port().bearing(AgentAtWork.READS);

        assertThat(reads.get(ELECTION).status()).isEqualTo(200);
        assertThat(reads.post(ELECTION + "/campaign", STAND).status()).isEqualTo(403);
        assertThat(reads.post(ELECTION + "/campaign/1", "").status()).isEqualTo(403);
        assertThat(reads.delete(ELECTION + "/campaign/1").status()).isEqualTo(403);
    }

    @Test
    void aListNamesWhatItsAskerMayRead() {
        work.owner("shop", 6000).awaitLead();
        work.owner("billing/closer", 6000).awaitLead();

        assertThat(work.port().bearing(AgentAtWork.STANDS).get("/v1/elections").body())
                .isEqualTo("{\"elections\":[\"billing/closer\"]}\n");
        assertThat(work.port().bearing(AgentAtWork.READS).get("/v1/elections").body())
                .isEqualTo("{\"elections\":[\"billing/closer\",\"shop\"]}\n");
    }

    @Test
    void theFileOfTokensIsReadAgain() throws IOException {
        PlainHttp later = work.port().bearing("a-token-of-later-on");
        assertThat(later.get("/v1/elections").status()).isEqualTo(401);

        Files.writeString(work.tokens, "a-token-of-later-on * read\n");

        assertThat(later.get("/v1/elections").status()).isEqualTo(200);
        assertThat(work.port().bearing(AgentAtWork.READS).get("/v1/elections").status())
                .isEqualTo(401);

        Files.writeString(work.tokens, "half a line");
        assertThat(later.get("/v1/elections").status())
                .as("what it said before")
                .isEqualTo(200);
        later.get("/v1/elections");
        assertThat(work.said)
                .singleElement()
                .asString()
                .startsWith("the former rights stay, for their file cannot be read: line 1 of");
    }

    @Test
    void aStrangeHostAndAnOriginAreRefused() {
        int port = Integer.parseInt(work.port().host().split(":", -1)[1]);
        for (String host : List.of("evil.example", "evil.example:" + port, "127.0.0.1:1", "localhost.evil:" + port)) {
            Answer answer = work.port().forHost(host).get("/livez");
            assertThat(answer.status()).as(host).isEqualTo(421);
        }
        for (String host : List.of("localhost", "LOCALHOST:" + port, "127.0.0.1", "[::1]:" + port)) {
            assertThat(work.port().forHost(host).get("/livez").status())
                    .as(host)
                    .isEqualTo(200);
        }
        assertThat(work.port().with("Origin: http://localhost").get("/livez").status())
                .isEqualTo(403);
        assertThat(work.socket().with("Origin: null").get("/v1/elections").status())
                .isEqualTo(403);
    }

    @Test
    void whatIsUnclearIsRefusedInASentence() {
        PlainHttp socket = work.socket();
        String campaign = ELECTION + "/campaign";

        assertThat(socket.post(campaign, "{\"ttlMs\":999}").sentence()).startsWith("ttlMs is 1000 to 60000");
        assertThat(socket.post(campaign, "{\"ttlMs\":9223372036854775807}").status())
                .isEqualTo(400);
        assertThat(socket.post(campaign, "{\"ttlMS\":2000}").sentence()).contains("unknown field 'ttlMS'");
        assertThat(socket.post(campaign, "{\"ttlMs\":1.5}").sentence()).contains("no whole number");
        assertThat(socket.post(campaign, "{").status()).isEqualTo(400);
        assertThat(socket.post(campaign, "[]").status()).isEqualTo(400);
        assertThat(socket.get("/v1/elections/a..%2F..").status()).isEqualTo(400);
        assertThat(socket.get("/v1/elections/a%20b").sentence()).contains("legal are letters");
        assertThat(socket.get("/v1/elections/billing/closer").sentence()).contains("%2F");
        assertThat(socket.get(ELECTION + "/check?token=x").status()).isEqualTo(400);
        assertThat(socket.get(ELECTION + "/check?token=1&need=soon").sentence()).contains("500ms");
        assertThat(socket.get(campaign).status()).isEqualTo(405);
        assertThat(socket.post(campaign + "/none", "").status()).isEqualTo(404);
    }

    @Test
    @Tag("realtime")
    void sizesAndCountsAreBounded() {
        Answer tooLong = work.socket().post(ELECTION + "/campaign", "{\"name\":\"" + "a".repeat(16_384) + "\"}");
        assertThat(tooLong.status()).isEqualTo(413);
        assertThat(work.socket().with("X: " + "a".repeat(9000)).get("/livez").isProblem())
                .isTrue();
        assertThat(work.socket().with("X: " + "a".repeat(9000)).get("/livez").status())
                .isEqualTo(431);

        PlainHttp socket = work.socket();
        Await.until(
                "no more owners",
                () -> socket.post(ELECTION + "/campaign", "{\"ttlMs\":3000}").status() == 503);
    }

    @Test
    void anotherUserIsRefusedOverTheSocket() throws Exception {
        assertThat(mode(folder)).isEqualTo("rw-------");
        Files.setPosixFilePermissions(folder.resolve("agent.sock"), PosixFilePermissions.fromString("rw-rw-rw-"));

        assertThat(askedByNobody(folder, "/v1/elections"))
                .contains("the agent answers its own user, root, and the users that --rights names");
    }

    @Test
    void aUserWhomTheRightsNameReachesItsPrefixAlone(@TempDir Path other) throws Exception {
        try (AgentAtWork named = AgentAtWork.withRights(other, "user:nobody shop/ read\n")) {
            named.owner("shop/till", 6000).awaitLead();
            assertThat(mode(other)).isEqualTo("rw-rw-rw-");

            assertThat(askedByNobody(other, "/v1/elections")).isEqualTo("{\"elections\":[\"shop/till\"]}\n");
            assertThat(askedByNobody(other, "/v1/elections/billing"))
                    .contains("the user nobody has no right to the election billing");
            assertThat(askedByNobody(other, "/v1/elections/shop%2Ftill/resign", "-d", "{}"))
                    .contains("the user nobody may read the election shop/till, and may not transfer");
            assertThat(named.port().bearing("user:nobody").get("/v1/elections").status())
                    .as("a name is no token")
                    .isEqualTo(401);
            assertThat(named.port()
                            .with("Authorization: Bearer ")
                            .get("/v1/elections")
                            .status())
                    .as("nor is none")
                    .isEqualTo(401);
        }
    }

    private static String mode(Path folder) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("agent.sock")));
    }

    /** What the user nobody is answered. */
    private static String askedByNobody(Path folder, String path, String... more) throws IOException {
        Assumptions.assumeTrue(HostAgent.ownUser().equals("root") && Files.exists(Path.of("/usr/bin/setpriv")));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<String> command = new ArrayList<>(List.of("setpriv", "--reuid=65534", "--clear-groups", "curl", "-s"));
        command.addAll(List.of(more));
        command.addAll(List.of("--unix-socket", folder.resolve("agent.sock").toString(), "http://localhost" + path));
        Process other = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void aSocketThatWasLeftBehindIsReplacedAndOneInUseIsNot(@TempDir Path other) throws IOException {
        try (ServerSocketChannel left = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            left.bind(UnixDomainSocketAddress.of(other.resolve("agent.sock")));
            assertThatThrownBy(() -> new AgentAtWork(other).close())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is in use");
            assertThat(Files.exists(other.resolve("agent.sock"))).isTrue();
        }

        try (AgentAtWork second = new AgentAtWork(other)) {
            assertThat(second.socket().get("/livez").status()).isEqualTo(200);
        }
    }

    @Test
    void oneAgentAloneUsesAPlaceAlsoWhereItsFileIsGone() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("agent.sock.lock"))))
                .isEqualTo("rw-------");
        Files.delete(folder.resolve("agent.sock"));

        assertThatThrownBy(() -> new AgentAtWork(folder).close())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is in use: another agent holds");
    }

    @Test
    void whatIsNoSocketStays(@TempDir Path other) throws Exception {
        Path pipe = other.resolve("agent.sock");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();

        assertThatThrownBy(() -> new AgentAtWork(other).close())
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("is no socket, and stays");
        assertThat(Files.exists(pipe)).isTrue();
    }
}
