package dev.incumbent.fence.http;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** What a service behind the fence writes: the lines of a request that came to its end, all together. */
final class Ledger {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Consumer<List<String>> also;

    Ledger() {
        this(written -> {});
    }

    /** Tells also that of what it writes. */
    Ledger(Consumer<List<String>> also) {
        this.also = also;
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    /** Takes one request: its lines, the last of which is {@code commit}. */
    void take(java.io.BufferedReader request) throws java.io.IOException {
        List<String> told = new ArrayList<>();
        for (String line = request.readLine(); line != null; line = request.readLine()) {
            if (line.equals("commit")) {
                lines.addAll(told);
                also.accept(told);
                return;
            }
            told.add(line);
        }
    }
}
