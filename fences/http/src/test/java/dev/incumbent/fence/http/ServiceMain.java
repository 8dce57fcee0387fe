package dev.incumbent.fence.http;

import dev.incumbent.fence.Sink;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.fence.memory.MemoryStore;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.SinkId;
import dev.incumbent.servers.ClassPath;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A fenced service as a process of its own: {@code tomcat|jdk SECRET-FILE LEDGER PORT}. It writes its port to that file, and what it is told to that ledger. */
final class ServiceMain {
    static final ElectionName OFFICE = new ElectionName("fuzz/office");
    static final ElectionName OTHER = new ElectionName("fuzz/other");
    private static final Duration BOUND = Duration.ofSeconds(5);

    private ServiceMain() {}

    /** What starts it. */
    static List<String> command(String server, Path secret, Path ledger, Path port) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "-D" + TomcatService.LOGS + "=true",
                "-cp",
                ClassPath.text(),
                ServiceMain.class.getName(),
                server,
                secret.toString(),
                ledger.toString(),
                port.toString());
    }

    public static void main(String[] given) throws IOException, InterruptedException {
        Path ledger = Files.createFile(Path.of(given[2]));
        Sink marks = new MemorySink(new MemoryStore(new SinkId("kept")), new SystemTimeline(), BOUND);
        HttpFence fence = HttpFence.over(marks, BOUND, Files.readString(Path.of(given[1])), OFFICE, OTHER);
        Service.Starter starter = given[0].equals("tomcat") ? TomcatService::new : JdkService::new;
        Service service = starter.start(fence, new Ledger(lines -> append(ledger, lines)));
        Path told = Path.of(given[3]);
        Files.move(Files.writeString(told.resolveSibling("next"), Integer.toString(service.port())), told);
        new CountDownLatch(1).await();
    }

    /** Many requests come to their end at once. */
    private static void append(Path ledger, List<String> lines) {
        try {
            Files.writeString(ledger, String.join("\n", lines) + "\n", StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
