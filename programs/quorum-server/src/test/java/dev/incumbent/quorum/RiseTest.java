package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.quorum.NodesHere.Access;
import dev.incumbent.quorum.Route.Answer;
import dev.incumbent.quorum.Route.Kind;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.servers.Waiting;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Nodes of this build raise the level by themselves, and from then on keep older ones out. */
@Tag("realtime")
@ResourceLock(NodesHere.ONE_AT_A_TIME)
final class RiseTest {
    private static final String REJOIN = "/v1/rejoin";

    @Test
    void theLevelRisesOnAllDisksAndAnOlderBuildBecomesNoVoter() throws IOException {
        try (NodesHere nodes = NodesHere.start(Access.OPEN)) {
            nodes.members().forEach(one -> Waiting.until("level 1 of " + one.name(), () -> isAtLevelOne(one)));
            for (Member one : nodes.members()) {
                assertThat(Files.readAllLines(nodes.data(one.name()).resolve("marker"))
                                .get(0))
                        .contains(" at level 1, ");
            }

            Member gone = nodes.member("n3");
            nodes.stop("n3");
            assertRefused(
                    nodes, gone, new Route("/nothing", Right.TOKEN, 1, Kind.AT_ONCE, asked -> Answer.now(404, "")));
            assertRefused(nodes, gone, level(asked -> Line.of("LEVEL", "n3.new", "s", "0", "0")));
        }
    }

    private static void assertRefused(NodesHere nodes, Member gone, Route route) throws IOException {
        try (Endpoint older = Endpoint.listen(gone, Tokens.none(), Optional.empty())) {
            older.takePart(ScriptedNode.QUORUM, Optional::empty, () -> Members.UNKNOWN, List.of(route));
            Member any = nodes.member("n1");
            Waiting.until("an answer", () -> rejoin(any).statusCode() != 503);

            assertThat(rejoin(any).statusCode()).isEqualTo(409);
            assertThat(rejoin(any).body())
                    .isEqualTo("node n3 becomes no voter: the quorum's log is at level 1, and the build of n3 knows"
                            + " levels up to 0; start it with a newer build\n");
        }
    }

    private static Route level(Function<Route.Asked, String> answer) {
        return new Route(
                Levels.PATH, Right.REPLICATE, 1 << 10, Kind.AT_ONCE, asked -> Answer.now(200, answer.apply(asked)));
    }

    private static HttpResponse<String> rejoin(Member any) {
        return Calling.post(any.port(), REJOIN, Line.of("n3", "new"), Optional.empty());
    }

    private static boolean isAtLevelOne(Member one) {
        return Calling.post(one.port(), "/v1/status", "", Optional.empty())
                .body()
                .contains("\"level\":1,\"supports\":1");
    }

    @Test
    void aNodeThatIsRefusedAsAVoterSaysWhyAndEnds() throws IOException {
        List<Member> members = NodesHere.members("n1", "n2");
        try (TemporaryFolder folder = TemporaryFolder.create("refused");
                Endpoint leader = Endpoint.listen(members.get(0), Tokens.none(), Optional.empty())) {
            leader.takePart(
                    ScriptedNode.QUORUM,
                    Optional::empty,
                    () -> Members.UNKNOWN,
                    List.of(new Route(
                            REJOIN,
                            Right.REPLICATE,
                            1 << 10,
                            Kind.AT_ONCE,
                            asked -> Answer.now(409, "node n2 is too old\n"))));
            Peers peers =
                    new Peers(folder.path(), Marker.fresh("n2"), members, new Peering(Tokens.none(), Optional.empty()));

            assertThatThrownBy(() -> peers.rejoin(REJOIN))
                    .isInstanceOf(NodeRefusal.class)
                    .hasMessage("node n2 is too old");
        }
    }
}
