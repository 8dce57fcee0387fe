package dev.incumbent.fence.sql;

import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.tck.Writer;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A process of writers: each line on its standard input is one act of one writer, {@code WRITER VERB [ARGUMENT [ARGUMENT]]}, separated by tabs; each answer
 * is {@code WRITER ok} or {@code WRITER KIND MESSAGE}. Ends with its input.
 */
final class WriterProcess {
    private final Ledger ledger;
    private final Map<String, Writer> writers = new ConcurrentHashMap<>();
    private final Map<String, ExecutorService> threads = new ConcurrentHashMap<>();

    private WriterProcess(Ledger ledger) {
        this.ledger = ledger;
    }

    public static void main(String[] arguments) throws IOException {
        new WriterProcess(new Ledger(Path.of(arguments[0]))).serve();
    }

    private void serve() throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split("\t", -1);
            threads.computeIfAbsent(words[0], name -> Executors.newSingleThreadExecutor())
                    .execute(() -> answer(words));
        }
        System.exit(0);
    }

    private void answer(String[] words) {
        String answer;
        try {
            act(words);
            answer = "ok";
        } catch (Exception failure) {
            answer = failure.getClass().getSimpleName() + "\t"
                    + String.valueOf(failure.getMessage()).replaceAll("\\s+", " ");
        }
        synchronized (this) {
            System.out.println(words[0] + "\t" + answer);
        }
    }

    private void act(String[] words) throws Exception {
        if (words[1].equals("begin")) {
            writers.put(words[0], new SqliteWriter(ledger));
            return;
        }
        Writer writer = writers.get(words[0]);
        if (writer == null) {
            throw new IllegalStateException("no transaction " + words[0]);
        }
        switch (words[1]) {
            case "admit" -> admit(writer, words[2], words[3]);
            case "admitText" -> writer.admitText(new ElectionName(words[2]), words[3]);
            case "read" -> writer.read();
            case "write" -> writer.write(words[2]);
            case "commit" -> writer.commit();
            case "rollBack" -> writer.rollBack();
            default -> throw new IllegalArgumentException(words[1]);
        }
    }

    private static void admit(Writer writer, String election, String token) throws FenceException {
        writer.admit(new ElectionName(election), new FencingToken(Long.parseLong(token)));
    }
}
