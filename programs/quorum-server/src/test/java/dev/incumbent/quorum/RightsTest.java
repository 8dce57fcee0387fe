package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.Waiting;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Each role may do what is its own at a node, and nothing else: every role is tried at every route. */
@Tag("realtime")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.SAME_THREAD)
@ResourceLock(NodesHere.ONE_AT_A_TIME)
final class RightsTest {
    private static final int REFUSED = 403;
    private static final Set<Role> READERS = EnumSet.of(Role.OPERATOR, Role.CANDIDATE, Role.READER);
    private static final String READ = Line.of(Words.READ, "billing") + "\n";

    private NodesHere nodes;

    /** What may be asked of a node, and by whom. */
    private record Case(String path, String body, Set<Role> by, String refusal) {}

    private static List<Case> cases() {
        String reads = "to read, which needs an operator, candidate or reader token";
        String stands = "to change elections, which needs a candidate token";
        String replicates = "to speak as a node, which needs a node token";
        List<Case> all = new ArrayList<>(List.of(
                new Case("/v1/status", "", READERS, reads),
                new Case("/metrics", "", READERS, reads),
                new Case("/v1/elections", "", READERS, reads),
                new Case("/v1/elections/billing", "", READERS, reads),
                new Case(Words.WATCH, "SINCE\tw\t\t0\nALL\nADD\tbilling\n", READERS, reads),
                new Case(Words.CALLS, READ, READERS, reads),
                new Case("/v1/roll", "", EnumSet.of(Role.NODE), replicates),
                new Case("/v1/rejoin", "n9\tdisk", EnumSet.of(Role.NODE), replicates),
                new Case("/v1/passed-on", READ, EnumSet.of(Role.NODE), replicates),
                new Case(
                        "/v1/transfer/n9",
                        "",
                        EnumSet.of(Role.OPERATOR),
                        "to operate the servers, which needs an operator token"),
                new Case(Membership.PATH, "", READERS, reads),
                new Case(Health.LIVE, "", EnumSet.allOf(Role.class), ""),
                new Case(Health.READY, "", EnumSet.allOf(Role.class), ""),
                new Case("/v1/nowhere", "", EnumSet.allOf(Role.class), "")));
        for (String list : List.of("n1=h1:1\nn2=h2:1\n", "nonsense\n")) { // which no leader takes
            all.add(new Case(
                    Membership.PATH,
                    list,
                    EnumSet.of(Role.OPERATOR),
                    "to operate the servers, which needs an operator token"));
        }
        for (String change : List.of(
                Line.of(Words.GRANT, "", "ada", "5000"),
                Line.of(Words.KEEP, "L0"),
                Line.of(Words.REVOKE, "L0"),
                Line.of(Words.SWAP, "rights/swapped", "no-such-nonce", "n", "", "{}"),
                Line.of(Words.ENLIST, "rights/enlisted", "ada", "L0", "{}"),
                Line.of(Words.WITHDRAW, "rights/withdrawn", "ada"),
                Line.of(Words.EXPIRE, "L0", "0"),
                Line.of(Words.EPOCH, "of-a-client"),
                "NONSENSE")) {
            all.add(new Case(Words.CALLS, change + "\n", EnumSet.of(Role.CANDIDATE), stands));
            all.add(new Case(Words.CALLS, READ + change + "\n", EnumSet.of(Role.CANDIDATE), stands));
        }
        return all;
    }

    @BeforeAll
    void start() {
        nodes = NodesHere.start(new NodesHere.Access(oneForEach(), Optional.empty()));
    }

    @AfterAll
    void stop() {
        nodes.close();
    }

    private static Tokens oneForEach() {
        List<Tokens.Held> held = new ArrayList<>();
        for (Role role : Role.values()) {
            held.add(new Tokens.Held(EnumSet.of(role), () -> List.of(token(role))));
        }
        return Tokens.of(held);
    }

    private static String token(Role role) {
        return "secret-of-the-" + role;
    }

    @Test
    void everyRoleAtEveryRouteMayDoWhatIsItsOwnAlone() {
        for (Case one : cases()) {
            for (Role role : Role.values()) {
                HttpResponse<String> answer = post(one, Optional.of(token(role)));

                String what = role + " " + one;
                if (one.by().contains(role)) {
                    assertThat(answer.statusCode()).as(what).isNotIn(401, REFUSED);
                } else {
                    assertThat(answer.statusCode()).as(what).isEqualTo(REFUSED);
                    // The first right that is missing is named: who may not even read is told of that.
                    String named = List.of(Words.CALLS, Membership.PATH).contains(one.path()) && role == Role.NODE
                            ? "to read, which needs an operator, candidate or reader token"
                            : one.refusal();
                    assertThat(answer.body()).as(what).isEqualTo("this token does not give the right " + named + "\n");
                }
                assertThat(answer.body()).as(what).doesNotContain("secret-of");
            }
        }
    }

    @Test
    void whoShowsNoneOfTheTokensIsRefusedEverywhereAndToldNothingOfTheQuorum() {
        List<Optional<String>> strangers = List.of(
                Optional.empty(),
                Optional.of(""),
                Optional.of(token(Role.NODE) + "x"),
                Optional.of(token(Role.NODE).substring(1)),
                Optional.of(token(Role.NODE) + ", Bearer " + token(Role.READER)));
        for (Case one : cases()) {
            for (Optional<String> shown : strangers) {
                HttpResponse<String> answer = post(one, shown);

                assertThat(answer.headers().map())
                        .doesNotContainKeys(Words.NODE_HEADER, Words.QUORUM_HEADER, Words.LEADER_HEADER);
                if (one.path().startsWith("/health/")) {
                    assertThat(answer.statusCode()).as(shown + " " + one).isIn(200, 503);
                    continue;
                }
                assertThat(answer.statusCode()).as(shown + " " + one).isEqualTo(401);
                assertThat(answer.body())
                        .isEqualTo(
                                shown.isPresent()
                                        ? "this node does not know this bearer token\n"
                                        : "a bearer token is required\n");
            }
        }
    }

    @Test
    void allOfABatchIsRefusedWhereOnePartIs() {
        ElectionName election = fresh();
        String body = READ + Line.of(Words.SWAP, election.value(), "", "n1", "", "{}") + "\n";

        assertThat(post(new Case(Words.CALLS, body, Set.of(), ""), Optional.of(token(Role.READER)))
                        .statusCode())
                .isEqualTo(REFUSED);

        assertThat(Calling.found(client(Role.CANDIDATE), election)).isEqualTo(Revision.ABSENT);
    }

    @Test
    void aCandidateIsServedByEveryNodeAlsoWhereItPassesOn() throws IOException {
        for (Member member : nodes.members()) {
            Coordinator client = nodes.open(nodes.uri(member.name()) + parameter(Role.CANDIDATE));

            assertThat(Calling.created(client, fresh())).isInstanceOf(Swap.Accepted.class);
        }
    }

    @Test
    void aReaderReadsAndWatchesAndTheClientSaysWhatItMayNot() {
        ElectionName election = fresh();
        Calling.created(client(Role.CANDIDATE), election);
        Coordinator reader = client(Role.READER);
        List<String> told = new CopyOnWriteArrayList<>();

        assertThat(Calling.found(reader, election)).isNotEqualTo(Revision.ABSENT);
        assertThat(Calling.joined(reader.candidates(Set.of(election)))).containsKey(election);
        assertThat(Calling.joined(reader.elections(election.value()))).containsExactly(election);
        reader.watch(election, new Told(told));
        Waiting.until("word of the election", () -> told.contains("changed"));
        assertThatThrownBy(() -> Calling.created(reader, fresh()))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageMatching("the quorum node 127\\.0\\.0\\.1:\\d+ knows the token, and does not take this call"
                        + " from it: this token does not give the right to change elections, which needs a candidate"
                        + " token");
    }

    @Test
    void anOperatorMovesTheLeadershipAndChangesNoElection() {
        assertThatThrownBy(() -> Calling.created(client(Role.OPERATOR), fresh()))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining("which needs a candidate token");

        Member leader = leader();
        Member next = nodes.members().stream()
                .filter(one -> !one.equals(leader))
                .findFirst()
                .orElseThrow();
        Waiting.until("the leadership of " + next.name(), () -> {
            Calling.post(leader().port(), "/v1/transfer/" + next.name(), "", Optional.of(token(Role.OPERATOR)));
            return leads(next);
        });
    }

    /** It would be refused by all others: it may not tell them of its disk. */
    @Test
    void aNodeThatShowsACandidatesTokenIsRefusedByTheOthers() {
        NodesHere.Access mistaken = new NodesHere.Access(
                Tokens.of(List.of(new Tokens.Held(EnumSet.allOf(Role.class), () -> List.of(token(Role.CANDIDATE))))),
                Optional.empty());
        List<Member> members = List.of(
                NodesHere.members("n1").get(0),
                nodes.members().get(1),
                nodes.members().get(2));

        assertThatThrownBy(() -> QuorumNode.start(
                        NodesHere.settings(
                                members, "n1", mistaken, nodes.folder().resolve("mistaken")),
                        said -> {}))
                .isInstanceOf(NodeRefusal.class)
                .hasMessageMatching("node n\\d knows this node's token, and not as a node's: all nodes are given the"
                        + " same by --node-token-file, or by --token-file");
    }

    private Member leader() {
        Waiting.until("a leader", () -> nodes.members().stream().anyMatch(RightsTest::leads));
        return nodes.members().stream().filter(RightsTest::leads).findFirst().orElseThrow();
    }

    private static boolean leads(Member member) {
        return Calling.post(member.port(), "/v1/status", "", Optional.of(token(Role.READER)))
                .body()
                .contains("\"leads\":true");
    }

    private HttpResponse<String> post(Case one, Optional<String> token) {
        return Calling.post(nodes.members().get(2).port(), one.path(), one.body(), token);
    }

    private Coordinator client(Role role) {
        try {
            return nodes.open(nodes.uri() + parameter(role));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private String parameter(Role role) throws IOException {
        return "?token-file=" + Files.writeString(nodes.folder().resolve("token-of-" + role), token(role) + "\n");
    }

    /** Notes that it is told of a record. */
    private record Told(List<String> told) implements Watcher {
        @Override
        public void changed(ObservedRecord record) {
            told.add("changed");
        }

        @Override
        public void gap() {}

        @Override
        public void currentAsOf(long sentAtNanos) {}
    }

    private static ElectionName fresh() {
        return new ElectionName("rights/" + UUID.randomUUID());
    }
}
