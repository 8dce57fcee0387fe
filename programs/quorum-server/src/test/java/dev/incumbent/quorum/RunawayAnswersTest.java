package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.quorum.wire.Words;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node takes from another no answer that is longer than a node's may be, and waits for none that does not end. */
@Timeout(120)
final class RunawayAnswersTest {
    private static final List<String> CALLS = List.of("KEEP\tL1", "KEEP\tL2");
    private static final long PATIENT_MILLIS = 60_000;
    private static final long LONGEST = 64 << 20;

    /** What is on its way while the reader ends: two sockets' buffers, and reads. Without a limit the node would write for as long as it is asked to wait. */
    private static final long UNDER_WAY = LONGEST;

    private static final Duration SOON = Duration.ofSeconds(60);

    private final Peering peering = new Peering(Tokens.none(), Optional.empty());

    @TempDir
    private Path folder;

    @Test
    void whatALeaderAnswersTooLongIsReadNoFurtherAndIsUncertain() {
        try (RunawayNode leader = RunawayNode.spilling()) {
            Forwarder forwarder = new Forwarder(() -> List.of(leader.member("n1")), peering);

            List<String> answers =
                    forwarder.forward("n1", CALLS, PATIENT_MILLIS).join();

            assertThat(answers)
                    .hasSize(2)
                    .allMatch(answer -> answer.startsWith(Words.UNCERTAIN))
                    .allMatch(answer -> answer.contains("the answer is longer than " + LONGEST + " bytes"));
            assertThat(leader.dropped()).succeedsWithin(SOON);
            assertThat(leader.written()).isBetween(LONGEST, LONGEST + UNDER_WAY);
        }
    }

    @Test
    void whatALeaderBeginsToAnswerAndNeverEndsIsUncertainInTime() {
        try (RunawayNode leader = RunawayNode.stalling()) {
            Forwarder forwarder = new Forwarder(() -> List.of(leader.member("n1")), peering);

            List<String> answers = forwarder.forward("n1", CALLS, 1_000).join();

            assertThat(answers).hasSize(2).allMatch(answer -> answer.startsWith(Words.UNCERTAIN));
            assertThat(leader.dropped()).succeedsWithin(SOON);
        }
    }

    /** Each start and each beat waits for all rolls. */
    @Test
    void aRollThatDoesNotEndIsNone() {
        try (RunawayNode other = RunawayNode.stalling()) {
            Peers peers = new Peers(folder, Marker.fresh("n1"), List.of(other.member("n2")), peering);

            assertThat(CompletableFuture.supplyAsync(() -> peers.ask("")))
                    .succeedsWithin(SOON)
                    .satisfies(rolls -> assertThat(rolls).isEmpty());
            assertThat(other.dropped()).succeedsWithin(SOON);
        }
    }

    @Test
    void aLevelThatDoesNotEndIsNotReported() {
        try (RunawayNode other = RunawayNode.stalling()) {
            Member member = other.member("n2");
            Levels levels = new Levels(new Peers(folder, Marker.fresh("n1"), List.of(member), peering), peering);

            assertThat(levels.ask(member)).succeedsWithin(SOON).isEqualTo(Optional.empty());
            assertThat(other.dropped()).succeedsWithin(SOON);
        }
    }
}
