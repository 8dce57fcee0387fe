package dev.incumbent.agent.elections;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a process counts as ended, by what the kernel tells of it. */
class OwnerProcessTest {
    private static final OwnerProcess ONE = new OwnerProcess(7, 500);

    @TempDir
    private Path processes;

    @BeforeEach
    void begin() throws IOException {
        Files.createDirectory(processes.resolve("self"));
    }

    @Test
    void whatThisKernelTells() throws Exception {
        Process process = new ProcessBuilder("sleep", "600").start();
        OwnerProcess one = OwnerProcess.of(process.pid()).orElseThrow();
        assertThat(one.isGone()).isFalse();
        assertThat(new OwnerProcess(one.pid(), one.begun() + 1).isGone()).isTrue();

        process.destroyForcibly().waitFor();
        assertThat(one.isGone()).isTrue();
        assertThat(OwnerProcess.of(process.pid())).isEmpty();
    }

    @Test
    void aProcessThatWasKilledIsThereWhileOneOfItsThreadsIs() throws IOException {
        tells("7", "Z", 500);
        tells("7/task/7", "Z", 500);
        tells("7/task/8", "D", 501);
        assertThat(ONE.isGone(processes)).isFalse();
        assertThat(OwnerProcess.of(processes, 7)).contains(ONE);

        tells("7/task/8", "X", 501);
        assertThat(ONE.isGone(processes)).isTrue();
        assertThat(OwnerProcess.of(processes, 7)).isEmpty();
    }

    @Test
    void onlyWhatIsNotThereIsGone() throws IOException {
        assertThat(ONE.isGone(processes)).isTrue();
        Files.createDirectories(processes.resolve("7/stat"));
        assertThat(ONE.isGone(processes)).as("it cannot be read").isFalse();
        Files.delete(processes.resolve("self"));
        Files.delete(processes.resolve("7/stat"));
        assertThat(ONE.isGone(processes)).as("no list of processes").isFalse();
    }

    @Test
    void anotherProcessOfItsNumberIsNotIt() throws IOException {
        tells("7", "S", 900);
        assertThat(ONE.isGone(processes)).isTrue();
    }

    private void tells(String folder, String state, long begun) throws IOException {
        Path place = Files.createDirectories(processes.resolve(folder));
        Files.writeString(place.resolve("stat"), "7 (a ) b) " + state + " 1".repeat(18) + " " + begun + " 0 0\n");
    }
}
