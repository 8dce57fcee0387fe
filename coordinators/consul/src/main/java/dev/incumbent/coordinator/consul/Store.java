package dev.incumbent.coordinator.consul;

import com.fasterxml.jackson.databind.JsonNode;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Consul's keys, as the classes above ask for them: every read is consistent, and no denial passes for a refusal, or for keys that are not there.
 *
 * <p>Consul leaves out of the answers to reads of many keys, in silence, what the token may not read. So whoever finds nothing asks by {@link #find} for one key,
 * which is denied aloud.
 */
record Store(ConsulHttp http) {
    private static final int CONFLICT = 409;
    private static final int NOT_FOUND = 404;

    /** What a condition of a transaction fails with; anything else is no refusal. */
    private static final List<String> CONDITIONS = List.of(
            "index is stale",
            "doesn't exist",
            "failed to check session",
            "failed session check",
            "invalid session",
            "lock is already held",
            "lock isn't held");

    CompletionStage<Outcome> apply(Txn txn, String doing, long deadlineNanos) {
        return http.ask(Question.put("/v1/txn", txn.json(), doing, deadlineNanos))
                .thenApply(Store::outcome);
    }

    /** What is there beneath some prefixes, as far as the token may read it. */
    CompletionStage<List<Entry>> read(Txn txn, String doing, long deadlineNanos) {
        return http.ask(Question.put("/v1/txn?consistent", txn.json(), doing, deadlineNanos)
                        .reading())
                .thenApply(Store::outcome)
                .thenApply(outcome -> {
                    if (outcome instanceof Outcome.Refused refused) {
                        throw new CoordinatorException("Consul refused " + doing + ": " + refused.why(), false);
                    }
                    return ((Outcome.Done) outcome).entries();
                });
    }

    /** One key, or that it is not there. */
    CompletionStage<Optional<Entry>> find(String key, long deadlineNanos) {
        return find(Question.get("/v1/kv/" + key + "?consistent", "reading " + key, deadlineNanos));
    }

    CompletionStage<Optional<Entry>> find(Question question) {
        return http.ask(question)
                .thenApply(answer -> answer.isNoKey()
                        ? Optional.empty()
                        : Optional.of(Entry.of(answer.json().path(0))));
    }

    /** The names of the keys beneath a prefix; denied aloud where the token may not read all of it. */
    CompletionStage<List<String>> list(String prefix, String within, long deadlineNanos) {
        return find(within, deadlineNanos)
                .thenCompose(allowed -> http.ask(
                        Question.get("/v1/kv/" + prefix + "?keys&consistent", "listing " + prefix, deadlineNanos)))
                .thenApply(Store::names);
    }

    static List<String> names(Answer answer) {
        if (answer.isNoKey()) {
            return List.of();
        }
        List<String> names = new ArrayList<>();
        answer.json().forEach(name -> names.add(name.asText()));
        return names;
    }

    private static Outcome outcome(Answer answer) {
        if (answer.is(CONFLICT)) {
            return refusal(answer);
        }
        if (answer.is(NOT_FOUND)) {
            throw new CoordinatorUnusableException(
                    answer.from() + " knows no transactions (/v1/txn): it is no Consul, or one older than 0.7");
        }
        List<Entry> entries = new ArrayList<>();
        for (JsonNode result : answer.json().path("Results")) {
            entries.add(Entry.of(result.path("KV")));
        }
        return new Outcome.Done(entries);
    }

    private static Outcome refusal(Answer answer) {
        List<String> why = new ArrayList<>();
        answer.document()
                .path("Errors")
                .forEach(error -> why.add(error.path("What").asText()));
        for (String one : why) {
            if (Answer.isDenial(one)) {
                throw answer.denial(one);
            }
        }
        boolean known = !why.isEmpty() && why.stream().allMatch(Store::isCondition);
        if (!known) {
            throw new CoordinatorException(
                    answer.from() + " rolled back " + answer.question().doing() + ": " + answer.body(), false);
        }
        return new Outcome.Refused(why);
    }

    private static boolean isCondition(String why) {
        return CONDITIONS.stream().anyMatch(why::contains);
    }
}
