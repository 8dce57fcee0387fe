package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.quorum.QuorumCoordinatorProvider;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the client makes of each answer of a node: whether it asks another one, and what it says became of the call. */
final class ClientTest {
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(20);
    private static final ElectionName BILLING = new ElectionName("billing");

    private final SystemTimeline timeline = new SystemTimeline();
    private final List<AutoCloseable> opened = new ArrayList<>(List.of(timeline));

    @AfterEach
    void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    @Test
    void whatANodeCannotTellMayHaveAppliedAndIsNotAskedOfAnother() {
        ScriptedNode first = scripted(ScriptedNode.answering("n1", "UNCERTAIN\tno majority"));
        ScriptedNode second = scripted(ScriptedNode.answering("n2", "DONE"));

        CoordinatorException failure = failure(client(first, second));

        assertThat(failure.mayHaveApplied()).isTrue();
        assertThat(failure).hasMessageContaining("could not tell the outcome: no majority");
        assertThat(second.asked()).isEmpty();
    }

    @Test
    void anAnswerOfAnotherLengthMayHaveAppliedAndIsNotAskedOfAnother() {
        ScriptedNode first = scripted(ScriptedNode.answering("n1", "DONE", "DONE"));
        ScriptedNode second = scripted(ScriptedNode.answering("n2", "DONE"));

        assertThat(failure(client(first, second)).mayHaveApplied()).isTrue();
        assertThat(second.asked()).isEmpty();
    }

    @Test
    void anAnswerThatIsNotUnderstoodMayHaveApplied() {
        CoordinatorException failure =
                failureOfAGrant(client(scripted(ScriptedNode.answering("n1", "GRANTED\tL1\tlong"))));

        assertThat(failure.mayHaveApplied()).isTrue();
    }

    @Test
    void whatANodeDoesNotTakeSurelyDidNothing() {
        ScriptedNode first = scripted(ScriptedNode.answering("n1", "BAD\ttoo long"));
        ScriptedNode second = scripted(ScriptedNode.answering("n2", "DONE"));

        CoordinatorException failure = failure(client(first, second));

        assertThat(failure.mayHaveApplied()).isFalse();
        assertThat(failure).hasMessageContaining("does not take this call: too long");
        assertThat(second.asked()).isEmpty();
    }

    @Test
    void whatSurelyDidNothingIsAskedOfTheNextNode() {
        for (ScriptedNode first : List.of(
                scripted(ScriptedNode.answering("n1", "LATER\tno majority")),
                scripted(ScriptedNode.answering("n1", "ELSEWHERE\t\tdoes not lead")),
                scripted(ScriptedNode.refusing("n1", 503)),
                scripted(ScriptedNode.refusing("n1", 408)))) {
            ScriptedNode second = scripted(ScriptedNode.answering("n2", "DONE"));

            client(first, second)
                    .withdraw(BILLING, new CandidateId("ada"))
                    .toCompletableFuture()
                    .join();

            assertThat(first.asked()).hasSize(1);
            assertThat(second.asked()).hasSize(1);
        }
    }

    private ScriptedNode scripted(ScriptedNode node) {
        opened.add(node);
        return node;
    }

    private Coordinator client(ScriptedNode... nodes) {
        String uri =
                "quorum://" + Arrays.stream(nodes).map(ScriptedNode::hostPort).collect(Collectors.joining(","));
        Coordinator client = new QuorumCoordinatorProvider().open(uri, timeline, REQUEST_TIMEOUT, Mode.CREATE);
        opened.add(client);
        return client;
    }

    private static CoordinatorException failure(Coordinator client) {
        return catchThrowableOfType(
                CoordinatorException.class, () -> Calling.joined(client.withdraw(BILLING, new CandidateId("ada"))));
    }

    private static CoordinatorException failureOfAGrant(Coordinator client) {
        return catchThrowableOfType(
                CoordinatorException.class,
                () -> Calling.joined(client.grant(new CandidateId("ada"), Duration.ofSeconds(5))));
    }
}
