package dev.incumbent.supervisor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A {@link PretendedLeader} in a JVM of its own, and all it started, found by a mark the supervisor knows nothing of. */
final class WrapperProcess implements AutoCloseable {
    private static final String MARK = "WRAPPER_TEST";

    private final String mark = UUID.randomUUID().toString();
    private final Process process;

    private WrapperProcess(ProcessBuilder builder) throws IOException {
        builder.environment().put(MARK, mark);
        this.process = builder.redirectErrorStream(true).start();
    }

    /** Properties such as {@code -Dlease=1500}, then the command. */
    static WrapperProcess start(List<String> properties, String... command) throws IOException {
        return new WrapperProcess(new ProcessBuilder(line(properties, command)));
    }

    /** The same by way of a shell that first does something, as {@code trap '' HUP}. */
    static WrapperProcess startAfter(String shellCommand, List<String> properties, String... command)
            throws IOException {
        List<String> line = new ArrayList<>(List.of("sh", "-c", shellCommand + "; exec \"$@\"", "sh"));
        line.addAll(line(properties, command));
        return new WrapperProcess(new ProcessBuilder(line));
    }

    /** The same by way of a bash, in whose line {@code "$@"} is the wrapper as the launcher starts it: by the supervisor's program. */
    static WrapperProcess startBy(String line, String... command) throws IOException {
        List<String> words = new ArrayList<>(List.of("bash", "-c", line, "bash"));
        words.addAll(List.of(TestFolder.binary().toString(), "--start", "0"));
        words.addAll(line(List.of(), command));
        return new WrapperProcess(new ProcessBuilder(words));
    }

    static List<String> line(List<String> properties, String... command) {
        List<String> line = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "-Dfolder=" + TestFolder.PATH,
                "-cp",
                Path.of("target/classes").toAbsolutePath() + ":"
                        + Path.of("target/test-classes").toAbsolutePath()));
        line.addAll(properties);
        line.add(PretendedLeader.class.getName());
        line.addAll(Arrays.asList(command));
        return line;
    }

    ProcessEntry wrapper() {
        return new ProcessEntry(process.pid());
    }

    ProcessEntry supervisor() {
        return marked().filter(entry -> name(entry).startsWith("incumbent-super"))
                .findFirst()
                .orElseThrow();
    }

    /** All living processes started by the command, itself included. */
    List<ProcessEntry> started() {
        return marked().filter(entry -> entry.pid() != process.pid())
                .filter(entry -> !name(entry).startsWith("incumbent-super"))
                .toList();
    }

    List<ProcessEntry> startedAs(String name) {
        return started().stream().filter(entry -> name(entry).equals(name)).toList();
    }

    private Stream<ProcessEntry> marked() {
        return ProcessEntry.allFrom(0).stream()
                .filter(entry -> new String(entry.environment(), StandardCharsets.ISO_8859_1).contains(mark))
                .filter(ProcessEntry::isAlive);
    }

    private static String name(ProcessEntry entry) {
        return proc(entry, "comm").strip();
    }

    private static String proc(ProcessEntry entry, String file) {
        try {
            return Files.readString(Path.of("/proc", String.valueOf(entry.pid()), file), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }

    /** Returns once the wrapper has a handler for the signal. */
    void awaitHandlerOf(int signal) {
        Pattern caught = Pattern.compile("SigCgt:\\s*([0-9a-f]+)");
        Await.until("a handler of signal " + signal, () -> {
            Matcher matcher = caught.matcher(proc(wrapper(), "status"));
            return matcher.find() && (Long.parseUnsignedLong(matcher.group(1), 16) >> (signal - 1) & 1) == 1;
        });
    }

    void awaitStarted(String name, int count) {
        Await.until(count + " processes " + name, () -> startedAs(name).size() == count);
    }

    void awaitNothingLeftWithin(Duration time) {
        Await.within(time, "nothing left of the command", () -> started().isEmpty());
    }

    void awaitNothingLeft() {
        Await.until("nothing left of the command", () -> started().isEmpty());
    }

    static void signal(ProcessEntry entry, String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(entry.pid())).start();
        if (kill.waitFor() != 0) {
            throw new IOException("no signal " + name + " to " + entry.pid());
        }
    }

    void signal(String name) throws IOException, InterruptedException {
        signal(wrapper(), name);
    }

    /** The same, within that time from now. */
    int exitCodeWithin(Duration time) throws InterruptedException {
        return Await.within(time, this::exitCode);
    }

    int exitCode() throws InterruptedException {
        Await.until("the wrapper's end", () -> !process.isAlive());
        return process.waitFor();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Waits for the next line of what was said. */
    String nextLine() {
        StringBuilder line = new StringBuilder();
        Await.until("a line", () -> {
            try {
                while (line.indexOf("\n") < 0 && process.getInputStream().available() > 0) {
                    line.append((char) process.getInputStream().read());
                }
            } catch (IOException closed) {
                throw new UncheckedIOException(closed);
            }
            return line.indexOf("\n") >= 0;
        });
        return line.toString().strip();
    }

    /** All that was said besides, once it has ended. */
    String output() throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        Await.until("a clean machine", () -> {
            List<ProcessEntry> left = marked().toList();
            left.forEach(ProcessEntry::kill);
            return left.isEmpty();
        });
    }
}
