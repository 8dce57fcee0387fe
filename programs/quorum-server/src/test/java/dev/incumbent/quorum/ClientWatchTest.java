package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.quorum.QuorumCoordinatorProvider;
import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.quorum.Route.Answer;
import dev.incumbent.quorum.Route.Asked;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the client's watches ask a node for, and what they make of its answers. */
final class ClientWatchTest {
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(60);

    private final SystemTimeline timeline = new SystemTimeline();
    private final BlockingQueue<Question> questions = new LinkedBlockingQueue<>();
    private final ScriptedNode node = ScriptedNode.watched("n1", this::held);
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final Coordinator client =
            new QuorumCoordinatorProvider().open("quorum://" + node.hostPort(), timeline, REQUEST_TIMEOUT, Mode.CREATE);

    /** A request that waits for its answer. */
    private record Question(Asked asked, CompletableFuture<Answer> reply) {
        List<String> lines() {
            return Line.lines(asked.body()).stream()
                    .map(line -> line.replaceFirst("^SINCE\t[^\t]+", "SINCE"))
                    .toList();
        }

        void refuse() {
            reply.complete(new Answer(503, "not now\n"));
        }

        void answer(String... lines) {
            reply.complete(new Answer(200, Line.body(List.of(lines))));
        }
    }

    /** Notes what it hears. */
    private record Hearing(List<String> heard) implements Watcher {
        @Override
        public void changed(ObservedRecord record) {
            heard.add("term " + record.record().term() + (record.leaseAlive() ? " alive" : ""));
        }

        @Override
        public void gap() {
            heard.add("gap");
        }

        @Override
        public void currentAsOf(long sentAtNanos) {
            heard.add("proof");
        }
    }

    @AfterEach
    void close() {
        client.close();
        node.close();
        timeline.close();
    }

    @Test
    void aWatchAsksForWhatIsNewAndThenForWhatComesAfterThePositionItWasTold() {
        client.watch(new ElectionName("billing"), new Hearing(heard));
        Question first = next();
        assertThat(first.lines()).containsExactly("SINCE\t\t60000", "ALL", "ADD\tbilling");
        first.answer("AT\t7@e1", told(3, 1, "1"));

        Question second = next();

        assertThat(second.lines()).containsExactly("SINCE\t7@e1\t60000", "DROP", "ADD");
        assertThat(heard).startsWith("term 1 alive", "proof").doesNotContain("gap");
    }

    @Test
    void aNodeThatKnowsNoSuchWatchIsToldAllOfIt() {
        client.watch(new ElectionName("billing"), new Hearing(heard));
        next().answer("AT\t7@e1", told(3, 1, "1"));
        next().answer("WHO");

        Question again = next();

        assertThat(again.lines()).containsExactly("SINCE\t7@e1\t60000", "ALL\tbilling", "ADD");
        assertThat(heard).doesNotContain("gap");
    }

    @Test
    void whatIsOlderThanWhatWasToldIsTakenAfterARestoreAlone() {
        client.watch(new ElectionName("billing"), new Hearing(heard));
        next().answer("AT\t7@e1", told(5, 2, "0"));
        next().answer("AT\t8@e1", told(3, 1, "0"));
        next().answer("AT\t9@e1", told(9, 3, "0"));
        next().answer("AT\t2@e2", "GAP", told(2, 1, "0"));

        Waiting.until(
                "what was restored", () -> heard.contains("gap") && heard.lastIndexOf("term 1") > heard.indexOf("gap"));

        assertThat(heard.stream().filter(one -> !one.equals("proof")))
                .containsExactly("term 2", "term 3", "gap", "term 1");
    }

    /** After two request timeouts; what is proven afterwards ends it. */
    @Test
    void silenceIsToldAsOneGap() {
        Duration requestTimeout = Duration.ofMillis(500);
        try (Coordinator impatient = new QuorumCoordinatorProvider()
                .open("quorum://" + node.hostPort(), timeline, requestTimeout, Mode.CREATE)) {
            impatient.watch(new ElectionName("billing"), new Hearing(heard));
            Waiting.until("a gap", () -> {
                next().refuse();
                return heard.contains("gap");
            });
            next().refuse();
            next().refuse();
            assertThat(heard).containsExactly("gap");

            Waiting.until("the state", () -> {
                next().answer("AT\t7@e1", told(3, 1, "1"));
                return heard.contains("proof");
            });

            assertThat(heard).startsWith("gap", "term 1 alive", "proof");
        }
    }

    private CompletableFuture<Answer> held(Asked asked) {
        CompletableFuture<Answer> reply = new CompletableFuture<>();
        questions.add(new Question(asked, reply));
        return reply;
    }

    private Question next() {
        try {
            Question next = questions.poll(60, TimeUnit.SECONDS);
            assertThat(next).as("a request of the watch").isNotNull();
            return next;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String told(long position, long term, String alive) {
        LeaderRecord record = LeaderRecord.EMPTY.vacated(term, Instant.EPOCH).written("x" + term);
        return Line.of("READ", Long.toString(position), "billing", "x" + term, alive, "1000", RecordJson.write(record));
    }
}
