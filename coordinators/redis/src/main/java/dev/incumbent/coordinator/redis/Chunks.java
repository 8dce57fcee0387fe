package dev.incumbent.coordinator.redis;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.ElectionName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/** One question about many elections, asked in chunks, so that no script holds its server up for long and one that fails spoils no other. */
final class Chunks {
    private Chunks() {}

    /**
     * What the chunks answered.
     *
     * @param failure of one that did not
     */
    record Answers<T>(Map<ElectionName, T> told, Optional<CoordinatorException> failure) {
        /** All of them, or the failure. */
        Map<ElectionName, T> orFailure() {
            if (failure.isPresent()) {
                throw failure.get();
            }
            return told;
        }
    }

    /** Ends in a value where any chunk answered, or none was asked; else in a failure. */
    static <T> CompletableFuture<Answers<T>> ask(
            List<ElectionName> elections,
            int size,
            Function<List<ElectionName>, CompletableFuture<Map<ElectionName, T>>> question) {
        List<CompletableFuture<Answers<T>>> parts = new ArrayList<>();
        for (int from = 0; from < elections.size(); from += size) {
            List<ElectionName> chunk = elections.subList(from, Math.min(elections.size(), from + size));
            parts.add(question.apply(chunk).handle(Chunks::answers));
        }
        return CompletableFuture.allOf(parts.toArray(new CompletableFuture<?>[0]))
                .thenApply(ended -> {
                    Map<ElectionName, T> told = new HashMap<>();
                    Optional<CoordinatorException> failure = Optional.empty();
                    for (CompletableFuture<Answers<T>> part : parts) {
                        told.putAll(part.join().told());
                        failure = failure.or(() -> part.join().failure());
                    }
                    if (told.isEmpty() && failure.isPresent()) {
                        throw failure.get();
                    }
                    return new Answers<>(told, failure);
                });
    }

    private static <T> Answers<T> answers(Map<ElectionName, T> told, Throwable failure) {
        return failure == null
                ? new Answers<>(told, Optional.empty())
                : new Answers<>(Map.of(), Optional.of(known(failure)));
    }

    /** Each election's reading; of one that no chunk told, that it was not read. */
    static Map<ElectionName, Reading> readings(List<ElectionName> asked, Answers<Seen> answers) {
        String why = answers.failure()
                .map(failure -> String.valueOf(failure.getMessage()))
                .orElse("it was not told");
        Map<ElectionName, Reading> readings = new HashMap<>();
        for (ElectionName election : asked) {
            Optional<Seen> seen = Optional.ofNullable(answers.told().get(election));
            readings.put(election, seen.isPresent() ? seen.get().reading() : new Reading.Unread(why));
        }
        return readings;
    }

    /** The failure of a stage, as the SPI tells it. */
    static CoordinatorException known(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof CoordinatorException told
                ? told
                : new CoordinatorException("an unexpected failure: " + cause, true, cause);
    }
}
