package dev.incumbent.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

/** What is told of writes that a sink refused. */
class RefusalMetersTest {
    private static final ElectionName JOB = new ElectionName("job");
    private static final FencingToken TOKEN = new FencingToken(7);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final RefusalMeters ledger = RefusalMeters.of("ledger", registry);

    @Test
    void refusalsAreCountedBySinkAndByWhatTheSinkSaid() {
        RefusalMeters other = RefusalMeters.of("other", registry);
        for (int i = 0; i < 2; i++) {
            ledger.refused(new StaleTokenException(JOB, TOKEN, "8"));
        }
        other.refused(new StaleTokenException(JOB, TOKEN, "8"));
        ledger.refused(new NotRaisedException(JOB, TOKEN, "6"));
        ledger.refused(new NoTransactionException("in autocommit"));
        ledger.refused(new NotAdmittedException("late"));

        assertThat(count("ledger", "stale")).isEqualTo(2);
        assertThat(count("other", "stale")).isEqualTo(1);
        assertThat(count("ledger", "not_raised")).isEqualTo(1);
        assertThat(count("ledger", "no_transaction")).isEqualTo(1);
        assertThat(count("ledger", "not_admitted")).isEqualTo(1);
    }

    @Test
    void aSinkThatRefusedNothingIsToldAsNought() {
        assertThat(count("ledger", "stale")).isZero();
    }

    private double count(String sink, String why) {
        return registry.get("incumbent.writes.refused")
                .tags("sink", sink, "why", why)
                .counter()
                .count();
    }
}
