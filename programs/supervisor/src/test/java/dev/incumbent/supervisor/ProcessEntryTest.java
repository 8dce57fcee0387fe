package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProcessEntryTest {
    @TempDir
    private Path folder;

    @Test
    void aProcessWhoseFirstThreadHasEndedIsAliveAndTellsItsEnvironmentAndGroup() throws Exception {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", "exec " + HeadlessProcess.in(folder));
        builder.environment().put("MARKED", "by this test");
        Process process = builder.directory(folder.toFile()).start();
        try {
            Await.until("a process without its first thread", () -> Files.exists(folder.resolve("headless")));
            ProcessEntry entry = new ProcessEntry(process.pid());

            assertThat(entry.isAlive()).isTrue();
            assertThat(new String(entry.environment(), StandardCharsets.UTF_8)).contains("MARKED=by this test");
            assertThat(entry.group()).isEqualTo(Optional.of(process.pid()));

            entry.kill();
            assertThat(process.waitFor()).isEqualTo(137);
            assertThat(entry.isAlive()).isFalse();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void theChildrenOfAllThreadsAreChildren() throws Exception {
        Process process = new ProcessBuilder("python3", "-c", """
                import subprocess, threading, time
                threading.Thread(target=lambda: print(subprocess.Popen(['sleep', '1000']).pid, flush=True) or time.sleep(1000)).start()
                time.sleep(1000)""").start();
        ProcessEntry entry = new ProcessEntry(process.pid());
        try {
            ProcessEntry child =
                    new ProcessEntry(Long.parseLong(process.inputReader().readLine()));

            assertThat(entry.children()).containsExactly(child);
            assertThat(entry.descendants()).containsExactly(child);
            assertThat(entry.descendantsBut(Set.of(child))).isEmpty();
        } finally {
            entry.descendants().forEach(ProcessEntry::kill);
            process.destroyForcibly();
        }
    }

    @Test
    void aZombieIsNotAlive() throws Exception {
        Process parent = new ProcessBuilder("python3", "-c", """
                import os, time
                pid = os.fork()
                if pid == 0: os._exit(0)
                print(pid, flush=True)
                time.sleep(1000)""").start();
        try {
            ProcessEntry zombie =
                    new ProcessEntry(Long.parseLong(parent.inputReader().readLine()));

            Await.until("its end", () -> !zombie.isAlive());
            assertThat(zombie.group()).isEmpty();
            assertThat(Path.of("/proc", "" + zombie.pid())).exists();
        } finally {
            parent.destroyForcibly();
        }
    }
}
