package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Leadership;
import dev.incumbent.Trace;
import dev.incumbent.coordinator.memory.MemoryStore;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What a process does once its clocks have jumped, and as soon as nothing keeps it. */
class WatchedClocksTest {
    private final OneThread platform = new OneThread();
    private final MemoryStore store = new MemoryStore(platform.time);
    private final OneProcess a = new OneProcess(platform, store, "a", Trace.NONE);

    /** Its alarm would ring a suspend too late. */
    @Test
    void aSuspendIsFollowedByAKeepAliveWithinARequestTimeout() {
        a.election("job").campaign(leadership -> {});
        Leadership led = a.led();
        long before = a.callsOf("keepAlive");

        platform.time.suspend(OneProcess.TIMING.renewEvery());
        platform.pass(OneProcess.CALL.plusMillis(2));

        assertThat(a.callsOf("keepAlive")).isEqualTo(before + 1);
        assertThat(led.holds()).isTrue();
    }

    @Test
    void whoLeadsNothingIsGoneAtOnceWhenAllIsClosed() {
        CompletionStage<?> closed = a.runtime.closeAsync();
        platform.run();

        assertThat(closed.toCompletableFuture()).isCompleted();
        assertThat(platform.closed).isEqualTo(1);
    }
}
