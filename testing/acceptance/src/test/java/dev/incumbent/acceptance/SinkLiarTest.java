package dev.incumbent.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A sink is put back, and its leader never notices: the trial finds it. */
@Tag("realtime")
class SinkLiarTest {
    private static final Duration LEASE = Duration.ofMillis(1_500);

    @Test
    void aLeaderThatDoesNotRaiseAgainIsFound() throws Exception {
        List<Claim> claims = new SinkRestoreTrial("postgresql", LEASE, Believing::new).run();

        assertThat(claims)
                .filteredOn(claim -> !claim.holds())
                .extracting(Claim::sentence)
                .hasSizeGreaterThanOrEqualTo(3)
                .anyMatch(sentence -> sentence.endsWith("the leader has raised it again"))
                .contains("from then on it refuses that token (IF001)", "and takes the leader's rows");
        assertThat(claims)
                .filteredOn(Claim::holds)
                .extracting(Claim::sentence)
                .contains("terms pass before it", "until then it admits yesterday's token, the stated limit");
    }

    /** Whoever has it believes that the marks are still what it raised them to. */
    private record Believing(Sink real, Map<ElectionName, Mark> raised) implements Sink {
        Believing(Sink real) {
            this(real, new ConcurrentHashMap<>());
        }

        @Override
        public CompletionStage<SinkId> id() {
            return real.id();
        }

        @Override
        public String label() {
            return real.label();
        }

        @Override
        public CompletionStage<Raise> raise(ElectionName election, Mark mark) {
            raised.put(election, mark);
            return real.raise(election, mark);
        }

        @Override
        public CompletionStage<MarksRead> marks(Set<ElectionName> elections) {
            return CompletableFuture.completedFuture(MarksRead.of(raised));
        }

        @Override
        public CompletionStage<MarksRead> marks() {
            return real.marks();
        }

        @Override
        public void close() {
            real.close();
        }
    }
}
