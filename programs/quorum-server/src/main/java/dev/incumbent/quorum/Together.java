package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Writes calls that came together as one entry of the log: what the replication costs, it costs for an entry and not for a call. Several entries where they
 * are too long for one.
 */
record Together(Function<String, CompletableFuture<String>> log) {
    /** Ratis takes no entry of 4 MB; a call has at most 1 MB. */
    static final int LONGEST = 1 << 20;

    /** As many answers as there are lines; those of one entry are answered alike where it has no answer of its own. */
    List<CompletableFuture<String>> write(List<String> lines) {
        List<CompletableFuture<String>> answers = new ArrayList<>(lines.size());
        List<String> entry = new ArrayList<>();
        int length = 0;
        for (String line : lines) {
            if (!entry.isEmpty() && length + line.length() > LONGEST) {
                answers.addAll(written(entry));
                entry = new ArrayList<>();
                length = 0;
            }
            entry.add(line);
            length += line.length();
        }
        answers.addAll(written(entry));
        return answers;
    }

    private List<CompletableFuture<String>> written(List<String> calls) {
        if (calls.size() < 2) {
            return calls.stream().map(log).toList();
        }
        CompletableFuture<List<String>> answer =
                log.apply(Entry.together(calls)).thenApply(text -> each(text, calls.size()));
        List<CompletableFuture<String>> answers = new ArrayList<>(calls.size());
        for (int i = 0; i < calls.size(); i++) {
            int place = i;
            answers.add(answer.thenApply(all -> all.get(place)));
        }
        return answers;
    }

    private static List<String> each(String text, int calls) {
        List<String> fields = Line.fields(text);
        return fields.get(0).equals(Entry.TOGETHER)
                ? fields.subList(1, fields.size())
                : Collections.nCopies(calls, text);
    }
}
