package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What a node answers that does not lead, and one that leads and is heard by nobody. */
@Tag("realtime")
@ResourceLock(NodesHere.ONE_AT_A_TIME)
final class CallsTest {
    private static final Duration ELECTION_TIMEOUT = Duration.ofSeconds(2);
    private static final long SHORTLY = 500;
    private static final long LONG = 20_000;
    private static final String GRANT = Line.of(Words.GRANT, "", "ada", "60000");
    private static final String READ = Line.of(Words.READ, "billing");

    private final SystemTimeline timeline = new SystemTimeline();
    private WiredReplicas replicas;

    @BeforeEach
    void start() throws IOException {
        replicas = WiredReplicas.start(ELECTION_TIMEOUT, timeline);
        Waiting.until(
                "a leader that all follow",
                () -> replicas.leader().isPresent()
                        && replicas.all().stream().allMatch(one -> one.leader().isPresent()));
    }

    @AfterEach
    void stop() throws IOException {
        replicas.close();
        timeline.close();
    }

    @Test
    void withoutAMajorityAChangeIsUncertainAndAQuestionIsNot() {
        Replica leader = leaderAlone();

        List<String> answers = answers(leader, List.of(), SHORTLY, false, GRANT, READ);

        assertThat(answers).hasSize(2);
        assertThat(answers.get(0)).startsWith(Words.UNCERTAIN);
        assertThat(answers.get(1)).startsWith(Words.LATER);
    }

    /** Its successor may commit what stands in its log, although Ratis says then that it does not lead. */
    @Test
    void whatStoodInTheLogOfALeaderThatSteppedDownIsUncertain() {
        CompletableFuture<String> change = leaderAlone().write(Line.of(Words.GRANT, "L1", "ada", "60000"));

        assertThat(change).succeedsWithin(Duration.ofMinutes(1)).asString().startsWith(Words.UNCERTAIN);
    }

    /** What it holds may be old by then. */
    @Test
    void withoutAMajorityAWatchIsToldNothing() {
        Watches watches = new Watches(leaderAlone(), new SharedTable(timeline), timeline);
        String body = Line.body(List.of("SINCE\tw1\t\t0", "ALL", "ADD\tbilling"));

        assertThat(watches.answer(body, SHORTLY).join()).startsWith(Words.LATER);
    }

    /** The node would build them all before it sent the first. */
    @Test
    void longAnswersOfOneRequestAreGivenUntilTheirRoomIsTaken() {
        Replica leader = replicas.leader().orElseThrow();
        String record = "x".repeat(1_000_000);
        assertThat(leader.write(Line.of(Words.SWAP, "billing", "", "n1", "", record))
                        .join())
                .startsWith(Words.ACCEPTED);

        List<String> answers = answers(leader, List.of(), LONG, false, READ, READ, READ, READ, READ, READ, READ);

        // Questions are answered side by side.
        assertThat(answers).hasSize(7);
        assertThat(answers).filteredOn(answer -> answer.contains(record)).hasSize(5);
        assertThat(answers)
                .filteredOn(Line.of(Words.LATER, "the answers of one request have at most 4194304 characters")::equals)
                .hasSize(2);
    }

    @Test
    void anElectionThatIsNamedOftenIsToldOnce() {
        Replica leader = replicas.leader().orElseThrow();
        assertThat(leader.write(Line.of(Words.SWAP, "billing", "", "n1", "", "{}"))
                        .join())
                .startsWith(Words.ACCEPTED);

        assertThat(answers(leader, List.of(), LONG, false, Line.of(Words.READ, "billing", "billing")))
                .isEqualTo(answers(leader, List.of(), LONG, false, READ));
    }

    /** Each is remembered for a minute, whoever asks. */
    @Test
    void noMoreIsWatchedThanANodeHasRoomFor() {
        Replica leader = replicas.leader().orElseThrow();
        Watches watches = new Watches(leader, replicas.table(leader), timeline);
        String names = "\t" + "e".repeat(899);
        long each = 100 * (899 + Watches.OF_A_NAME);
        int fit = (int) (Watches.MOST_WATCHED / each);

        for (int i = 0; i < fit; i++) {
            assertThat(watched(watches, i, names)).as("watch " + i).startsWith(Words.AT);
        }
        assertThat(watched(watches, fit, names))
                .isEqualTo(Line.of(Words.LATER, "as many elections are watched at this node as it has room for"));
        assertThat(watches.answer(Line.of("SINCE", "w0", "", "0"), LONG).join())
                .as("one that is known already")
                .startsWith(Words.AT);
    }

    /** Of a hundred elections. */
    private static String watched(Watches watches, int number, String name) {
        StringBuilder add = new StringBuilder("SINCE\tw" + number + "\t\t0\nALL\nADD");
        for (int i = 100; i < 200; i++) {
            add.append(name, 0, name.length() - 3).append(i);
        }
        return watches.answer(add.append('\n').toString(), LONG).join();
    }

    @Test
    void whatTheLeaderAnswersStandsInThePlaceOfItsCall() {
        Replica follower = replicas.follower();
        String name = follower.leader().orElseThrow();

        try (ScriptedNode leader = ScriptedNode.answering(name, "DONE\tfirst", "DONE\tlast")) {
            List<String> answers = new ArrayList<>();
            Waiting.until("an answer of the leader", () -> {
                answers.clear();
                answers.addAll(answers(follower, List.of(leader.member()), LONG, false, GRANT, "NONSENSE", GRANT));
                return !leader.asked().isEmpty();
            });

            assertThat(answers.get(0)).isEqualTo("DONE\tfirst");
            assertThat(answers.get(1)).startsWith(Words.BAD);
            assertThat(answers.get(2)).isEqualTo("DONE\tlast");
        }
    }

    @Test
    void whatWasPassedOnIsNotPassedOnAgain() {
        Replica follower = replicas.follower();
        String name = follower.leader().orElseThrow();

        try (ScriptedNode leader = ScriptedNode.answering(name, "DONE")) {
            List<String> answers = answers(follower, List.of(leader.member()), LONG, true, GRANT);

            assertThat(answers).singleElement().asString().startsWith(Line.of(Words.ELSEWHERE, name));
            assertThat(leader.asked()).isEmpty();
        }
    }

    private Replica leaderAlone() {
        Replica leader = replicas.leader().orElseThrow();
        replicas.all().stream()
                .filter(one -> one != leader)
                .forEach(one -> replicas.wireTo(one).cut(TcpProxy.Fault.SILENT));
        return leader;
    }

    private static List<String> answers(
            Replica at, List<Member> members, long withinMillis, boolean wasPassedOn, String... calls) {
        Forwarder forwarder = new Forwarder(() -> members, new Peering(Tokens.none(), Optional.empty()));
        String answers = new Calls(at, forwarder)
                .answer(Line.body(List.of(calls)), withinMillis, wasPassedOn)
                .join();
        return Line.lines(answers);
    }
}
