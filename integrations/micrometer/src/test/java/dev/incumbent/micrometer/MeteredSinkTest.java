package dev.incumbent.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.SinkId;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is told of the raises of a sink. */
class MeteredSinkTest {
    private static final ElectionName JOB = new ElectionName("job");
    private static final Mark MARK = new Mark(new FencingToken(7), MarkOwner.ofCandidate(new CandidateId("me")));
    private static final Duration LEASE = Duration.ofSeconds(6);

    private final MockClock clock = new MockClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
    private final Asked within = new Asked();
    private final MeteredSink metered = MeteredSink.around(within, registry);

    @Test
    void aRaiseIsTimedUntilItsAnswer() {
        CompletionStage<Raise> raising = metered.raise(JOB, MARK, LEASE);
        clock.add(Duration.ofMillis(40));
        within.answer.complete(new Raise.Raised(MARK));

        assertThat(raising).isSameAs(within.answer);
        assertThat(within.asked).containsExactly("raise job within " + LEASE);
        assertThat(raises("raised").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(40);
    }

    @Test
    void aRaiseThatIsRefusedOrFailsIsNoneThatSucceeded() {
        within.answer.complete(new Raise.Refused(MARK));
        metered.raise(JOB, MARK);
        within.answer = CompletableFuture.completedFuture(new Raise.TooFar(0));
        metered.raise(JOB, MARK);
        within.answer = CompletableFuture.failedFuture(new SinkException("a transaction is open"));
        metered.raise(JOB, MARK);

        assertThat(within.asked).hasSize(3).containsOnly("raise job");
        assertThat(raises("refused").count()).isEqualTo(2);
        assertThat(raises("failed").count()).isEqualTo(1);
        assertThat(raises("raised").count()).isZero();
    }

    @Test
    void allElseGoesToTheSink() {
        metered.id();
        metered.marks();
        metered.marks(Set.of(JOB));
        metered.close();

        assertThat(metered.label()).isEqualTo("ledger");
        assertThat(within.asked).containsExactly("id", "all marks", "marks of [job]", "close");
    }

    private Timer raises(String outcome) {
        return registry.get("incumbent.sink.raises")
                .tags("sink", "ledger", "outcome", outcome)
                .timer();
    }

    /** A sink whose answers a test gives. */
    private static final class Asked implements Sink {
        private final List<String> asked = new ArrayList<>();
        private CompletableFuture<Raise> answer = new CompletableFuture<>();

        @Override
        public CompletionStage<SinkId> id() {
            asked.add("id");
            return new CompletableFuture<>();
        }

        @Override
        public String label() {
            return "ledger";
        }

        @Override
        public CompletionStage<Raise> raise(ElectionName election, Mark mark) {
            asked.add("raise " + election);
            return answer;
        }

        @Override
        public CompletionStage<Raise> raise(ElectionName election, Mark mark, Duration lease) {
            asked.add("raise " + election + " within " + lease);
            return answer;
        }

        @Override
        public CompletionStage<MarksRead> marks(Set<ElectionName> elections) {
            asked.add("marks of " + elections);
            return new CompletableFuture<>();
        }

        @Override
        public CompletionStage<MarksRead> marks() {
            asked.add("all marks");
            return new CompletableFuture<>();
        }

        @Override
        public void close() {
            asked.add("close");
        }
    }
}
