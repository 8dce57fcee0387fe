package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Revision;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Who shows no token or a wrong one, asks too much, or means another quorum, is told so in one sentence, and harms nothing. */
@Tag("realtime")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.SAME_THREAD)
@ResourceLock(NodesHere.ONE_AT_A_TIME)
final class BadAccessTest {
    private static final String SECRET = "open-sesame-0815";
    private static final NodesHere.Access GUARDED = NodesHere.Access.guarded(SECRET);

    private NodesHere nodes;
    private NodesHere elsewhere;
    private String parameters = "";

    @BeforeAll
    void start() throws IOException {
        nodes = NodesHere.start(GUARDED);
        elsewhere = NodesHere.start(GUARDED);
        parameters = "?token-file=" + file("token", SECRET);
    }

    @AfterAll
    void stop() {
        nodes.close();
        elsewhere.close();
    }

    @Test
    void whoShowsTheTokenIsServed() {
        assertThat(Calling.created(nodes.open(nodes.uri() + parameters), fresh()))
                .isInstanceOf(Swap.Accepted.class);
    }

    @Test
    void aMissingTokenIsOneSentence() {
        assertThatThrownBy(() -> Calling.created(nodes.open(nodes.uri()), fresh()))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageMatching("the quorum node 127\\.0\\.0\\.1:\\d+ refuses the token; .*token-file=PATH.*");
    }

    @Test
    void aWrongTokenIsOneSentenceAndTellsNoSecret() throws IOException {
        Coordinator client = nodes.open(nodes.uri() + "?token-file=" + file("wrong", "wrong-" + SECRET));

        assertThatThrownBy(() -> Calling.created(client, fresh()))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining("refuses the token")
                .hasMessageNotContaining(SECRET);
    }

    @Test
    void aTokenFileThatIsNotThereIsOneSentence() {
        assertThatThrownBy(() -> nodes.open(nodes.uri() + "?token-file=/nowhere/token"))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining("/nowhere/token");
    }

    @Test
    void nothingIsAnsweredWithoutTheToken() {
        for (String path : List.of(Words.CALLS, Words.WATCH, "/v1/status", "/v1/elections", "/v1/roll", "/v1/rejoin")) {
            assertThat(post(path, "", Optional.empty()).statusCode()).as(path).isEqualTo(401);
            assertThat(post(path, "", Optional.of("")).statusCode()).as(path).isEqualTo(401);
        }
        assertThat(post("/v1/transfer/n2", "", Optional.of(SECRET + "x")).statusCode())
                .isEqualTo(401);
    }

    @Test
    void aBodyTooBigIsRefusedAndNothingIsLost() {
        ElectionName election = fresh();
        Coordinator client = nodes.open(nodes.uri() + parameters);
        Calling.created(client, election);
        Revision before = Calling.found(client, election);

        HttpResponse<String> refused = post(Words.CALLS, "x".repeat(3 << 20), Optional.of(SECRET));

        assertThat(refused.statusCode()).isEqualTo(413);
        assertThat(refused.body()).contains("at most 2097152 bytes");
        assertThat(Calling.found(client, election)).isEqualTo(before);
    }

    @Test
    void aBodyTooBigFromNobodyIsRefusedForItsToken() {
        assertThat(post(Words.CALLS, "x".repeat(2 << 20), Optional.empty()).statusCode())
                .isEqualTo(401);
    }

    /** Split, each takes more than the heap that a node gets along with. */
    @Test
    void aBodyOfTooManyPartsIsRefused() {
        for (String path : List.of(Words.CALLS, Words.WATCH, "/v1/passed-on")) {
            HttpResponse<String> lines = post(path, "\n".repeat(Route.LONGEST), Optional.of(SECRET));
            HttpResponse<String> fields = post(path, "\t".repeat(Route.LONGEST), Optional.of(SECRET));

            assertThat(List.of(lines.statusCode(), fields.statusCode()))
                    .as(path)
                    .containsOnly(413);
            assertThat(lines.body()).isEqualTo("a request has at most 4096 lines\n");
            assertThat(fields.body()).isEqualTo("a request has at most 100000 fields\n");
        }
    }

    /** Ratis' leader would step down over an entry of 4 MB. */
    @Test
    void aCallTooLongIsRefusedAndDeposesNobody() {
        String term = term();
        String call = Line.of(Words.SWAP, fresh().value(), "", "nonce", "", "x".repeat(3 << 19));

        HttpResponse<String> refused = post(Words.CALLS, Line.body(List.of(call)), Optional.of(SECRET));

        assertThat(refused.body()).startsWith(Words.BAD).contains("at most 1048576 characters");
        assertThat(term()).isEqualTo(term);
    }

    @Test
    void whatIsNotUnderstoodIsRefused() {
        assertThat(post(Words.CALLS, "NONSENSE\n", Optional.of(SECRET)).body()).startsWith(Words.BAD);
        assertThat(post(Words.WATCH, "NONSENSE\n", Optional.of(SECRET)).statusCode())
                .isEqualTo(400);
        assertThat(post("/v1/nowhere", "", Optional.of(SECRET)).statusCode()).isEqualTo(404);
    }

    @Test
    void aNodeWithAnotherTokenIsRefusedByTheOthers() {
        NodesHere.Access other = NodesHere.Access.guarded("another");
        List<Member> members = List.of(
                NodesHere.members("n1").get(0),
                nodes.members().get(1),
                nodes.members().get(2));

        assertThatThrownBy(() -> QuorumNode.start(
                        NodesHere.settings(members, "n1", other, nodes.folder().resolve("other-token")), said -> {}))
                .isInstanceOf(NodeRefusal.class)
                .hasMessageContaining("does not know this node's token")
                .hasMessageNotContaining("another")
                .hasMessageNotContaining(SECRET);
    }

    /** Two quorums named as one would be two leaders: neither the client nor the nodes take it. */
    @Test
    void nodesOfAnotherQuorumAreRefusedBeforeTheyDoAnything() {
        ElectionName election = fresh();
        Coordinator client =
                nodes.open(nodes.uri("n1") + "," + elsewhere.uri("n2").substring("quorum://".length()) + parameters);

        assertThatThrownBy(() -> {
                    Calling.created(client, election);
                    nodes.stop("n1");
                    Calling.created(client, election);
                })
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining("is of the quorum");
        assertThat(Calling.found(elsewhere.open(elsewhere.uri() + parameters), election))
                .isEqualTo(Revision.ABSENT);
        nodes.startAgain("n1");
    }

    @Test
    void aDiskOfAnotherQuorumIsRefused() {
        elsewhere.stop("n1");
        List<Member> members = List.of(
                NodesHere.members("n1").get(0),
                nodes.members().get(1),
                nodes.members().get(2));

        assertThatThrownBy(() ->
                        QuorumNode.start(NodesHere.settings(members, "n1", GUARDED, elsewhere.data("n1")), said -> {}))
                .isInstanceOf(NodeRefusal.class)
                .hasMessageContaining("n1 does not start: this disk belongs to the quorum");
    }

    @Test
    void aDiskWhoseLogIsGoneIsRefused() throws IOException {
        nodes.stop("n1");
        nodes.startAgain("n1");
        nodes.stop("n1");
        Path log = nodes.data("n1").resolve("log");
        Path aside = nodes.folder().resolve("log-of-n1");
        Files.move(log, aside);

        assertThatThrownBy(() -> nodes.startAgain("n1"))
                .isInstanceOf(NodeRefusal.class)
                .hasMessageContaining("tells of a log, and there is none; --rejoin");

        Files.move(aside, log);
        nodes.startAgain("n1");
    }

    @Test
    void aFolderOfSomethingElseIsRefused() throws IOException {
        Path folder = Files.createDirectories(nodes.folder().resolve("someone-elses"));
        Files.writeString(folder.resolve("thesis.txt"), "forty years of work");

        assertThatThrownBy(
                        () -> QuorumNode.start(NodesHere.settings(nodes.members(), "n1", GUARDED, folder), said -> {}))
                .isInstanceOf(NodeRefusal.class)
                .hasMessageContaining("is not empty and bears no marker");
        assertThat(Files.readString(folder.resolve("thesis.txt"))).isEqualTo("forty years of work");
    }

    private HttpResponse<String> post(String path, String body, Optional<String> token) {
        return Calling.post(nodes.members().get(2).port(), path, body, token);
    }

    private String term() {
        return post("/v1/status", "", Optional.of(SECRET)).body().replaceAll(".*\"term\":(\\d+).*\n", "$1");
    }

    private static ElectionName fresh() {
        return new ElectionName("access/" + UUID.randomUUID());
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(nodes.folder().resolve(name), text + "\n").toString();
    }
}
