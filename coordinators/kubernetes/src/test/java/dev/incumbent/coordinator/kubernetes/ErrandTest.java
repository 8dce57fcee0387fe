package dev.incumbent.coordinator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An errand whose requests are sent and refused in some order, and which then runs out of time. */
class ErrandTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Ask READ = Ask.get("/a");
    private static final Ask WRITE = Ask.patch("/a", "{}");

    private final VirtualTimeline time = new VirtualTimeline();
    private final ScriptedServer server = new ScriptedServer();
    private final Transport transport = server.transport();
    private final Api api = new Api(transport, time, TIMEOUT, new Failures(transport.server(), "ns", () -> ""));

    @AfterEach
    void close() {
        transport.close();
        server.close();
    }

    @Test
    void itMayHaveAppliedWhileAWriteWasSentAndNotRefused() {
        Errand<String> errand = begun();
        assertThat(errand.sends(READ)).isTrue();
        errand.wasRefused(READ);
        assertThat(mayHaveAppliedAtItsEnd(errand)).as("a read").isFalse();

        errand = begun();
        assertThat(errand.sends(WRITE)).isTrue();
        assertThat(mayHaveAppliedAtItsEnd(errand)).as("a write").isTrue();

        errand = begun();
        assertThat(errand.sends(WRITE)).isTrue();
        errand.wasRefused(WRITE);
        assertThat(mayHaveAppliedAtItsEnd(errand)).as("one refused").isFalse();

        errand = begun();
        assertThat(errand.sends(WRITE)).isTrue();
        assertThat(errand.sends(WRITE)).isTrue();
        errand.wasRefused(WRITE);
        assertThat(mayHaveAppliedAtItsEnd(errand)).as("one of two refused").isTrue();

        errand = begun();
        assertThat(errand.sends(WRITE)).isTrue();
        errand.wasRefused(WRITE);
        assertThat(errand.sends(WRITE)).isTrue();
        assertThat(mayHaveAppliedAtItsEnd(errand)).as("one after one refused").isTrue();
    }

    /** So an errand that was told not to have applied cannot apply later. */
    @Test
    void nothingIsSentOfWhatIsOver() {
        Errand<String> unsent = begun();
        Errand<String> sent = begun();
        assertThat(sent.sends(WRITE)).isTrue();

        time.advance(TIMEOUT);

        for (Errand<String> over : List.of(unsent, sent)) {
            assertThat(over.isOver()).isTrue();
            assertThat(over.sends(READ)).isFalse();
            assertThat(over.sends(WRITE)).isFalse();
        }
    }

    private Errand<String> begun() {
        return Errand.begin(api, time, errand -> new CompletableFuture<>(), begins -> {}, ends -> {});
    }

    private boolean mayHaveAppliedAtItsEnd(Errand<String> errand) {
        time.advance(TIMEOUT);
        return OpeningTest.failure(errand.reply()).mayHaveApplied();
    }
}
