package dev.incumbent.fence.sql;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A {@link WriterProcess}, as this process speaks to it. Several threads may act at once, each for a writer of its own. */
final class RemoteWriters {
    private static final long PATIENCE_SECONDS = 30;

    private final Process process;
    private final Writer out;
    private final Map<String, BlockingQueue<List<String>>> answers = new ConcurrentHashMap<>();
    private final AtomicInteger begun = new AtomicInteger();

    RemoteWriters(Ledger ledger) {
        try {
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-cp",
                            System.getProperty("java.class.path"),
                            WriterProcess.class.getName(),
                            ledger.folder().toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        out = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        Thread reader = new Thread(this::read, "answers of writers");
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        var in = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                List<String> words = List.of(line.split("\t", -1));
                queue(words.get(0)).add(words.subList(1, words.size()));
            }
        } catch (IOException killed) {
            // The process was killed: whoever waits is told by the end of its patience.
        }
    }

    String begin() {
        String writer = "w" + begun.incrementAndGet();
        act(writer, "begin");
        return writer;
    }

    /** Does one act and waits for the answer: {@code ok}, or the kind of failure and its message. */
    List<String> act(String writer, String... words) {
        if (!process.isAlive()) {
            return List.of("IllegalStateException", "the writers' process is gone");
        }
        try {
            synchronized (out) {
                out.write(writer + "\t" + String.join("\t", words) + "\n");
                out.flush();
            }
            List<String> answer = queue(writer).poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return answer == null ? List.of("IllegalStateException", "no answer to " + List.of(words)) : answer;
        } catch (IOException failure) {
            return List.of("IllegalStateException", "the writers' process is gone: " + failure);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /** As by {@code kill -9}. */
    void kill() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private BlockingQueue<List<String>> queue(String writer) {
        return answers.computeIfAbsent(writer, name -> new ArrayBlockingQueue<>(16));
    }
}
