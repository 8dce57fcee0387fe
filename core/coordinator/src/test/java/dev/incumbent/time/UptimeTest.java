package dev.incumbent.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UptimeTest {
    @TempDir
    private Path folder;

    @Test
    void theSecondsAndHundredthsBeforeTheFirstBlankAreRead() throws Exception {
        Uptime uptime = Uptime.open(file("12345.67 890.12\n")).orElseThrow();
        Uptime first = Uptime.open(file("0.01 0.00\n")).orElseThrow();

        assertThat(uptime.nanos()).hasValue(12_345_670_000_000L);
        assertThat(first.nanos()).hasValue(10_000_000L);
        uptime.close();
        first.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "12345", "12345 67.89", ".67 890.12", "12345.6 7", "12345.678 9", "12345.67", "1234x.67 8"})
    void aFileOfAnotherFormTellsNoTime(String text) throws Exception {
        assertThat(Uptime.open(file(text))).isEmpty();
    }

    @Test
    void aMissingFileTellsNoTime() {
        assertThat(Uptime.open(folder.resolve("missing"))).isEmpty();
    }

    @Test
    void itIsReadAnewEachTimeAndByAnyThread() throws Exception {
        Path file = file("1.00 0.00\n");
        Uptime uptime = Uptime.open(file).orElseThrow();

        Files.writeString(file, "2.00 0.00\n");

        assertThat(CompletableFuture.supplyAsync(uptime::nanos).get(10, TimeUnit.SECONDS))
                .hasValue(2_000_000_000L);
        uptime.close();
    }

    @Test
    void onceClosedItTellsNoTime() throws Exception {
        Uptime uptime = Uptime.open(file("1.00 0.00\n")).orElseThrow();

        uptime.close();

        assertThat(uptime.nanos()).isEmpty();
    }

    private Path file(String text) throws Exception {
        return Files.writeString(Files.createTempFile(folder, "uptime", ""), text);
    }
}
