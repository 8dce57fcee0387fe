package dev.incumbent.fence.http;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What a service behind the fence writes: the lines of a request that came to its end, all together. */
final class Ledger {
    private final List<String> lines = new CopyOnWriteArrayList<>();

    List<String> lines() {
        return List.copyOf(lines);
    }

    /** Takes one request: its lines, the last of which is {@code commit}. */
    void take(java.io.BufferedReader request) throws java.io.IOException {
        List<String> told = new ArrayList<>();
        for (String line = request.readLine(); line != null; line = request.readLine()) {
            if (line.equals("commit")) {
                lines.addAll(told);
                return;
            }
            told.add(line);
        }
    }
}
