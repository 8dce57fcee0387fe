package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Answers clients' calls: those that came together are taken in their order, and answered together. Thread-safe. */
final class Calls {
    private static final Set<String> CHANGES =
            Set.of(Words.KEEP, Words.REVOKE, Words.SWAP, Words.ENLIST, Words.WITHDRAW);
    private static final Set<String> QUESTIONS =
            Set.of(Words.READ, Words.CANDIDATES, Words.ELECTIONS, Words.CLOCK);

    private final Replica replica;

    Calls(Replica replica) {
        this.replica = replica;
    }

    /** The answer to a body of calls, within that time: what has none by then is told so. */
    CompletableFuture<String> answer(String body, long withinMillis) {
        List<CompletableFuture<String>> answers =
                Line.lines(body).stream().map(line -> one(line, withinMillis)).toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(all ->
                        Line.body(answers.stream().map(CompletableFuture::join).toList()));
    }

    private CompletableFuture<String> one(String line, long withinMillis) {
        List<String> fields = Line.fields(line);
        String word = fields.get(0);
        if (QUESTIONS.contains(word)) {
            return replica.read(line)
                    .completeOnTimeout(
                            Line.of(Words.LATER, "no majority answers"), withinMillis, TimeUnit.MILLISECONDS);
        }
        if (CHANGES.contains(word)) {
            return change(line, withinMillis);
        }
        if (word.equals(Words.GRANT) && fields.size() == 4) {
            String id = UUID.randomUUID().toString();
            return change(Line.of(Words.GRANT, id, fields.get(2), fields.get(3)), withinMillis);
        }
        return CompletableFuture.completedFuture(Line.of(Words.BAD, "no call begins with " + word));
    }

    private CompletableFuture<String> change(String line, long withinMillis) {
        return replica.write(line)
                .completeOnTimeout(
                        Line.of(Words.UNCERTAIN, "no majority has answered yet"), withinMillis, TimeUnit.MILLISECONDS);
    }
}
