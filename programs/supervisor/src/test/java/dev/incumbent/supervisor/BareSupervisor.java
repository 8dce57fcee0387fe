package dev.incumbent.supervisor;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The C program alone, spoken to line by line: what {@link Supervisor} would never say can be said, too. */
final class BareSupervisor implements AutoCloseable {
    private final String mark = UUID.randomUUID().toString();
    private final Process process;
    private final SocketChannel socket;
    private final BufferedReader answers;
    private final long begunAt;

    private BareSupervisor(Path program, Path folder, String... before) throws IOException {
        Path address = Files.createTempDirectory(Path.of("/tmp"), "bare-").resolve("s");
        try (ServerSocketChannel door = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            door.bind(UnixDomainSocketAddress.of(address));
            List<String> line = new ArrayList<>(List.of(before));
            line.addAll(List.of(program.toString(), address.toString()));
            openToAll(address);
            ProcessBuilder builder = new ProcessBuilder(line);
            builder.environment().put(RunMark.VARIABLE, mark);
            this.process = builder.directory(folder.toFile())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            CompletableFuture<Void> noVisitor = process.onExit().thenRun(() -> Wire.closeQuietly(door));
            this.socket = door.accept();
            noVisitor.cancel(false);
        } finally {
            Files.deleteIfExists(address);
            Files.delete(address.resolveSibling(""));
        }
        this.answers = new BufferedReader(Channels.newReader(socket, StandardCharsets.US_ASCII));
        this.begunAt = Long.parseLong(next().substring("hello ".length()));
    }

    private static void openToAll(Path address) throws IOException {
        Files.setPosixFilePermissions(address, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.setPosixFilePermissions(address.resolveSibling(""), PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** The command will run in that folder. */
    static BareSupervisor in(Path folder) throws IOException {
        return new BareSupervisor(TestFolder.binary(), folder);
    }

    /** The same by way of a program that does something first and then becomes it, such as {@code env PATH=/bin}. */
    static BareSupervisor by(Path folder, String... program) throws IOException {
        return new BareSupervisor(TestFolder.binary(), folder, program);
    }

    /** The same as a user without any right, by way of a program that needs more, if one is named. */
    static BareSupervisor asNobody(Path folder, String... by) throws IOException {
        Path program =
                Files.copy(TestFolder.binary(), folder.resolve("supervisor"), StandardCopyOption.COPY_ATTRIBUTES);
        List<String> before = new ArrayList<>(List.of(by));
        before.addAll(List.of("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"));
        return new BareSupervisor(program, folder, before.toArray(String[]::new));
    }

    ProcessEntry entry() {
        return new ProcessEntry(process.pid());
    }

    /** The supervisor's clock at its start, and so many milliseconds later. */
    long bootTime(long millisAfterTheStart) {
        return begunAt + TimeUnit.MILLISECONDS.toNanos(millisAfterTheStart);
    }

    /** Lines that reach the supervisor in one read, if they are short. */
    void say(String... lines) throws IOException {
        write(String.join("\n", lines) + "\n");
    }

    void write(String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) {
            socket.write(bytes);
        }
    }

    /** Half a close: it is told nothing more, and can still be heard. */
    void hangUp() throws IOException {
        socket.shutdownOutput();
    }

    void arguments(String... arguments) throws IOException {
        for (String digits : RawCommand.of(arguments).inHexadecimal()) {
            say("arg " + digits);
        }
    }

    /** With a lease of so many milliseconds from its start. */
    void start(long millis, String... command) throws IOException {
        arguments(command);
        say(lease(millis, millis), "start");
    }

    String lease(long stopMillis, long killMillis) {
        return "lease " + bootTime(stopMillis) + " " + bootTime(killMillis);
    }

    /** The next answer, which comes long before a lease's end; fails at the end of the connection. */
    String next() throws IOException {
        return Await.within(Await.LONGEST, this::nextAnswer);
    }

    private String nextAnswer() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("the supervisor has ended");
        }
        return line;
    }

    /** The word of the next answer, which must be followed by numbers alone. */
    String nextWord() throws IOException {
        return next().replaceAll("( -?\\d+)+$", "");
    }

    /** All answers up to the last one, leases' and pids apart, as they came: the end is told long before a lease's. */
    List<String> toTheEnd() throws IOException {
        return Await.within(Await.LONGEST, this::allToTheEnd);
    }

    /** The same, where that clock tells the time at which everything has to end: at its due time, and less than that late. */
    List<String> toTheEndAt(long since, Duration due) throws IOException {
        return Await.punctually(since, due, this::allToTheEnd);
    }

    private List<String> allToTheEnd() throws IOException {
        List<String> heard = new ArrayList<>();
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            if (!line.startsWith("ack ") && !line.startsWith("forked ")) {
                heard.add(line);
            }
        }
        return heard;
    }

    /** All living processes below it and beside it that carry its mark. */
    List<ProcessEntry> started() {
        return ProcessEntry.allFrom(1).stream()
                .filter(entry -> entry.pid() != process.pid())
                .filter(entry -> new RunMark(mark).isIn(entry.environment()))
                .filter(ProcessEntry::isAlive)
                .toList();
    }

    int exitCode() throws InterruptedException {
        Await.until("the supervisor's end", () -> !process.isAlive());
        return process.waitFor();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() throws IOException {
        socket.close();
        Await.until("a clean machine", () -> {
            process.destroyForcibly();
            started().forEach(ProcessEntry::kill);
            return !process.isAlive() && started().isEmpty();
        });
    }
}
