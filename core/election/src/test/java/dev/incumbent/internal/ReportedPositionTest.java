package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.LeaderTask;
import dev.incumbent.Trace;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.ElectionName;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** However often a program reports its position, the loop takes the newest, once. */
class ReportedPositionTest {
    private static final LeaderTask TASK = leadership -> {};

    private final List<Long> taken = new ArrayList<>();
    private final OneThread platform = new OneThread();
    private final OneProcess a = new OneProcess(platform, new MemoryStore(platform.time), "a", new Trace() {
        @Override
        public void stepped(ElectionName election, Event event, Step<ElectionState, Effect> step, Moment at) {
            if (event instanceof Event.PositionReached reached) {
                taken.add(reached.position());
            }
        }
    });

    @Test
    void ofManyReportsWhileTheLoopIsBusyTheNewestIsTakenOnce() {
        Candidacy candidacy = a.election("job").campaign(TASK);
        a.led();

        for (long position = 1; position <= 1_000; position++) {
            candidacy.reportPosition(position);
        }
        platform.pass(Duration.ofMillis(5));
        assertThat(taken).containsExactly(1_000L);

        candidacy.reportPosition(7);
        platform.pass(Duration.ofMillis(5));
        assertThat(taken).containsExactly(1_000L, 7L);
    }

    @Test
    void whatIsReportedBeforeItStandsIsTakenAsItDoes() {
        Candidacy candidacy = a.election("job").campaign(TASK);

        candidacy.reportPosition(1);
        candidacy.reportPosition(2);
        a.led();

        assertThat(taken).containsOnly(2L);
    }
}
