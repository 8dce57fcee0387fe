package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.Sinks;
import dev.incumbent.model.SinkId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sinks are found by their URL, installed once, and opened by whoever knows the URL. */
class SinksTest {
    @Test
    void aSinkIsInstalledOnceAndOpenedByItsUrl(@TempDir Path folder) throws Exception {
        String url = "sqlite:" + folder.resolve("ledger.db");
        try (Sink early = Sinks.open(url)) {
            assertThatThrownBy(() -> get(early.id()))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(SinkException.class);
        }
        Sinks.install(url);
        SinkId born = id(url);

        Sinks.install(url);

        assertThat(id(url)).isEqualTo(born);
    }

    @Test
    void anUnknownUrlIsToldWithThoseThatAreKnownAndWithoutASecret() {
        assertThatThrownBy(() -> Sinks.open("postgre://ann:geheim@db/app"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "no sink on the class path opens a URL that begins with 'postgre:'; known URLs begin with ")
                .hasMessageContaining("sqlite")
                .hasMessageNotContaining("geheim");
        assertThatThrownBy(() -> Sinks.install("postgre://ann:geheim@db/app"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("geheim");
    }

    private static SinkId id(String url) throws Exception {
        try (Sink sink = Sinks.open(url, Duration.ofSeconds(9))) {
            return get(sink.id());
        }
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
}
