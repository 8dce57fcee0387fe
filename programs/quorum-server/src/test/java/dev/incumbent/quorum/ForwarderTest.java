package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.quorum.Route.Asked;
import dev.incumbent.servers.FreePorts;
import java.net.http.HttpConnectTimeoutException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a node says of calls that it passed on: only what never reached the leader, or was refused by it, surely did nothing. */
final class ForwarderTest {
    private static final long WITHIN_MILLIS = 5_000;
    private static final List<String> CALLS = List.of("KEEP\tL1", "KEEP\tL2");

    @Test
    void eachCallIsAnsweredByTheLeaderAndIsMarkedAsPassedOn() {
        try (ScriptedNode leader = ScriptedNode.answering("n1", "DONE", "LOST")) {
            assertThat(forwarded(leader.member())).containsExactly("DONE", "LOST");

            assertThat(leader.asked()).extracting(Asked::body).containsExactly(Line.body(CALLS));
            assertThat(leader.paths()).containsExactly(Forwarder.PASSED_ON);
        }
    }

    /** As while nodes are upgraded one after the other. */
    @Test
    void aLeaderOfAnOlderBuildIsAskedByThePathThatItKnows() {
        try (ScriptedNode leader = ScriptedNode.older("n1", "DONE", "LOST")) {
            assertThat(forwarded(leader.member())).containsExactly("DONE", "LOST");

            assertThat(leader.asked()).extracting(Asked::body).containsExactly(Line.body(CALLS));
            assertThat(leader.paths()).containsExactly(Words.CALLS);
        }
    }

    @Test
    void whatTheLeaderTookAndNeverAnsweredIsUncertain() {
        try (ScriptedNode leader = ScriptedNode.silent("n1")) {
            assertThat(forwarded(leader.member())).hasSize(2).allMatch(answer -> answer.startsWith(Words.UNCERTAIN));
        }
    }

    @Test
    void anAnswerOfAnotherLengthIsUncertain() {
        try (ScriptedNode leader = ScriptedNode.answering("n1", "DONE")) {
            assertThat(forwarded(leader.member())).hasSize(2).allMatch(answer -> answer.startsWith(Words.UNCERTAIN));
        }
    }

    @Test
    void whatTheLeaderRefusedSurelyDidNothing() {
        try (ScriptedNode leader = ScriptedNode.refusing("n1", 503)) {
            assertThat(forwarded(leader.member())).hasSize(2).allMatch(answer -> answer.startsWith(Words.LATER));
        }
    }

    @Test
    void whatNeverReachedTheLeaderSurelyDidNothing() {
        int nobody = FreePorts.one();
        Member gone = new Member("n1", "127.0.0.1", nobody, nobody - 1);

        assertThat(forwarded(gone)).hasSize(2).allMatch(answer -> answer.startsWith(Words.LATER));
        assertThat(forwarded(new Member("n2", "127.0.0.1", nobody, nobody - 1)))
                .hasSize(2)
                .allMatch(answer -> answer.startsWith(Words.LATER));
    }

    /** To the leader n1; once more where it was not connected to in time, as happens on a crowded machine. */
    private static List<String> forwarded(Member known) {
        Forwarder forwarder = new Forwarder(() -> List.of(known), new Peering(Tokens.none(), Optional.empty()));
        List<String> answers = forwarder.forward("n1", CALLS, WITHIN_MILLIS).join();
        while (answers.get(0).contains(HttpConnectTimeoutException.class.getSimpleName())) {
            answers = forwarder.forward("n1", CALLS, WITHIN_MILLIS).join();
        }
        return answers;
    }
}
