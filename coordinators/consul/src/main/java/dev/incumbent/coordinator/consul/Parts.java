package dev.incumbent.coordinator.consul;

import dev.incumbent.consul.Txn;
import dev.incumbent.coordinator.CoordinatorException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;

/** A question about many elections, asked in parts of as many as fit into one transaction. */
final class Parts {
    private Parts() {}

    static <K> List<List<K>> of(Set<K> whole) {
        List<K> all = List.copyOf(whole);
        List<List<K>> parts = new ArrayList<>();
        for (int from = 0; from < all.size(); from += Txn.MOST) {
            parts.add(all.subList(from, Math.min(from + Txn.MOST, all.size())));
        }
        return parts;
    }

    /** For people: how many there are besides the first. */
    static String more(Collection<?> part) {
        return part.size() == 1 ? "" : " and " + (part.size() - 1) + " more";
    }

    /** One answer of all parts; those of a part that failed are told by {@code unread}, unless all failed. */
    static <K, V> CompletionStage<Map<K, V>> joined(
            List<List<K>> parts,
            Function<List<K>, CompletionStage<Map<K, V>>> ask,
            BiFunction<K, CoordinatorException, V> unread) {
        List<CompletableFuture<Map<K, V>>> asked = parts.stream()
                .map(part -> ask.apply(part).toCompletableFuture())
                .toList();
        return ended(asked).thenApply(ignored -> {
            Map<K, V> all = new HashMap<>();
            boolean allFailed =
                    !asked.isEmpty() && asked.stream().allMatch(CompletableFuture::isCompletedExceptionally);
            for (int i = 0; i < asked.size(); i++) {
                if (asked.get(i).isCompletedExceptionally() && !allFailed) {
                    CoordinatorException why = failureOf(asked.get(i));
                    parts.get(i).forEach(one -> all.put(one, unread.apply(one, why)));
                } else {
                    all.putAll(asked.get(i).join());
                }
            }
            return all;
        });
    }

    /** One map of many answers, each of which may fail alone. */
    static <K, V> CompletionStage<Map<K, V>> settled(
            Map<K, CompletionStage<V>> each, BiFunction<K, CoordinatorException, V> unread) {
        Map<K, CompletableFuture<V>> asked = new HashMap<>();
        each.forEach((key, stage) -> asked.put(key, stage.toCompletableFuture()));
        return ended(asked.values()).thenApply(ignored -> {
            Map<K, V> all = new HashMap<>();
            asked.forEach((key, answer) -> all.put(
                    key, answer.isCompletedExceptionally() ? unread.apply(key, failureOf(answer)) : answer.join()));
            return all;
        });
    }

    /** Ends once all have ended, however they did. */
    private static CompletableFuture<Boolean> ended(Collection<? extends CompletableFuture<?>> all) {
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).handle((done, failure) -> true);
    }

    private static CoordinatorException failureOf(CompletableFuture<?> failed) {
        try {
            failed.join();
        } catch (CompletionException e) {
            return Failures.of(e) instanceof CoordinatorException known
                    ? known
                    : new CoordinatorException("reading in Consul failed: " + e.getCause(), false, e);
        }
        throw new IllegalStateException("it did not fail");
    }
}
