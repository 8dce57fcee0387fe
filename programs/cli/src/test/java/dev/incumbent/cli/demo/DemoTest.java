package dev.incumbent.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.CommandLineProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo as a user runs it: a process of its own, with three more beneath. */
@Tag("realtime")
class DemoTest {
    private static final Pattern TOLD = Pattern.compile(" (\\w+) (stands|leads)\\b");

    @TempDir
    Path scratch;

    @Test
    void theFenceRefusesTheLateWriteAndTheDemoLeavesNothing() throws Exception {
        Process demo = start("demo", "-o", "json");

        String json = lastLine(demo);

        assertThat(demo.waitFor()).as(json).isZero();
        assertThat(json)
                .matches("\\{\"accepted\":\\d+,\"refused\":[1-9]\\d*,\"outOfOrder\":0,\"failoverMs\":\\d+,"
                        + "\"transferGapMs\":\\d+,\"terms\":[4-9],\"verdict\":\"held\"}");
        assertThat(folders()).isEmpty();
    }

    @Test
    void withoutTheFenceTheLedgerIsCorrupted() throws Exception {
        Process demo = start("demo", "--unfenced");

        String last = lastLine(demo);

        assertThat(demo.waitFor()).as(last).isZero();
        assertThat(last).startsWith("Verdict: corrupted.");
    }

    @Test
    void aLedgerOfOnesOwnKeepsTheLines() throws Exception {
        Path ledger = scratch.resolve("kept.db");
        Process demo = start("demo", "--sink", "sqlite:" + ledger, "--at", "file:" + scratch.resolve("at.db"));

        List<String> lines = lines(demo);

        String last = lines.get(lines.size() - 1);
        assertThat(demo.waitFor()).as(last).isZero();
        assertThat(last).startsWith("Verdict: held.");
        assertThat(ledger).exists();
        assertThat(whoLedBeforeItStood(lines)).isEmpty();
    }

    @Test
    void aSignalEndsEveryProcessAndTheFolder() throws Exception {
        Process demo = start("demo");
        List<ProcessHandle> workers;
        try (BufferedReader lines = demo.inputReader(StandardCharsets.UTF_8)) {
            await(lines, "kill -STOP");
            workers = demo.descendants().toList();

            demo.destroy();

            assertThat(demo.waitFor(20, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(demo.exitValue()).isEqualTo(143);
        assertThat(workers).hasSizeGreaterThanOrEqualTo(3).noneMatch(ProcessHandle::isAlive);
        assertThat(folders()).isEmpty();
    }

    private Process start(String... arguments) throws IOException {
        List<String> command = CommandLineProcess.line(List.of("-Djava.io.tmpdir=" + scratch));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static String lastLine(Process demo) throws IOException {
        List<String> lines = lines(demo);
        return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
    }

    private static List<String> lines(Process demo) throws IOException {
        try (BufferedReader lines = demo.inputReader(StandardCharsets.UTF_8)) {
            return lines.lines().toList();
        }
    }

    /** Whom the demo tells to lead before it tells that they stand. */
    private static List<String> whoLedBeforeItStood(List<String> lines) {
        Set<String> stood = new TreeSet<>();
        List<String> early = new ArrayList<>();
        for (String line : lines) {
            Matcher told = TOLD.matcher(line);
            if (told.find() && told.group(2).equals("stands")) {
                stood.add(told.group(1));
            } else if (told.reset().find() && !stood.contains(told.group(1))) {
                early.add(line);
            }
        }
        assertThat(stood).as("who stands").hasSizeGreaterThanOrEqualTo(3);
        return early;
    }

    private static void await(BufferedReader lines, String words) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.contains(words)) {
                return;
            }
        }
        throw new AssertionError("the demo never told: " + words);
    }

    private List<Path> folders() throws IOException {
        try (Stream<Path> all = Files.list(scratch)) {
            return all.filter(one -> one.getFileName().toString().startsWith("incumbent-demo-"))
                    .toList();
        }
    }
}
