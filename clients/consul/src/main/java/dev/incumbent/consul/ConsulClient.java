package dev.incumbent.consul;

import dev.incumbent.calls.Deadlines;
import dev.incumbent.wire.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A client of one Consul agent. Every read of keys is consistent, and no denial passes for a refusal, or for keys that are not there. Thread-safe; no call blocks, each
 * is sent at most once and ends by its deadline, in an answer or in a {@link ConsulException}. Two threads, which end when it is closed.
 *
 * <p>Consul leaves out of the answers to reads of many keys, in silence, what the token may not read. So whoever finds nothing asks by {@link #find} for one key,
 * which is denied aloud.
 */
public final class ConsulClient implements AutoCloseable {
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

    private final ConsulHttp http;

    /**
     * Asks nothing yet.
     *
     * @param label what it is called in the sentences of its failures
     */
    public ConsulClient(ConsulAddress at, String label, Deadlines deadlines) {
        this.http = new ConsulHttp(at, label, deadlines);
    }

    /** Sends a question, or lets it wait for a connection. */
    public CompletionStage<Answer> ask(Question question) {
        return http.ask(question);
    }

    /** Runs a task after those that were given before, on the thread on which answers arrive; drops it once closed. */
    public void execute(Runnable task) {
        http.execute(task);
    }

    /** Applies operations, all or none. */
    public CompletionStage<Outcome> apply(Txn txn, String doing, long deadlineNanos) {
        return http.ask(Question.put("/v1/txn", txn.json(), doing, deadlineNanos))
                .thenApply(ConsulClient::outcome);
    }

    /** What is there beneath some prefixes, as far as the token may read it. */
    public CompletionStage<List<Entry>> read(Txn txn, String doing, long deadlineNanos) {
        return http.ask(Question.put("/v1/txn?consistent", txn.json(), doing, deadlineNanos)
                        .reading())
                .thenApply(ConsulClient::outcome)
                .thenApply(outcome -> {
                    if (outcome instanceof Outcome.Refused refused) {
                        throw new ConsulException(
                                ConsulException.Kind.ROLLED_BACK,
                                "Consul refused " + doing + ": " + refused.why(),
                                refused.why().toString(),
                                false);
                    }
                    return ((Outcome.Done) outcome).entries();
                });
    }

    /** One key, or that it is not there. */
    public CompletionStage<Optional<Entry>> find(String key, long deadlineNanos) {
        return find(Question.get("/v1/kv/" + key + "?consistent", "reading " + key, deadlineNanos));
    }

    /** The same, where the question says more. */
    public CompletionStage<Optional<Entry>> find(Question question) {
        return http.ask(question)
                .thenApply(answer -> answer.isNoKey()
                        ? Optional.empty()
                        : Optional.of(answer.json().items().stream()
                                .findFirst()
                                .map(Entry::of)
                                .orElseThrow(answer::failure)));
    }

    /** The names of the keys beneath a prefix; denied aloud where the token may not read all of it. */
    public CompletionStage<List<String>> list(String prefix, String within, long deadlineNanos) {
        return find(within, deadlineNanos)
                .thenCompose(allowed -> http.ask(
                        Question.get("/v1/kv/" + prefix + "?keys&consistent", "listing " + prefix, deadlineNanos)))
                .thenApply(ConsulClient::names);
    }

    /** The names of keys that were asked for; none where there is no such key. */
    public static List<String> names(Answer answer) {
        if (answer.isNoKey()) {
            return List.of();
        }
        List<String> names = new ArrayList<>();
        answer.json().items().forEach(name -> names.add(name.text()));
        return names;
    }

    private static Outcome outcome(Answer answer) {
        if (answer.is(CONFLICT)) {
            return refusal(answer);
        }
        if (answer.is(NOT_FOUND)) {
            throw new ConsulException(
                    ConsulException.Kind.NO_CONSUL,
                    answer.from() + " knows no transactions (/v1/txn): it is no Consul, or one older than 0.7",
                    "it knows no transactions",
                    false);
        }
        List<Entry> entries = new ArrayList<>();
        for (Json result : answer.json().at("Results").items()) {
            entries.add(Entry.of(result.at("KV")));
        }
        return new Outcome.Done(entries);
    }

    private static Outcome refusal(Answer answer) {
        List<String> why = new ArrayList<>();
        answer.document()
                .at("Errors")
                .items()
                .forEach(error -> why.add(error.at("What").text()));
        for (String one : why) {
            if (Answer.isDenial(one)) {
                throw answer.denial(one);
            }
        }
        boolean known = !why.isEmpty() && why.stream().allMatch(ConsulClient::isCondition);
        if (!known) {
            throw new ConsulException(
                    ConsulException.Kind.ROLLED_BACK,
                    answer.from() + " rolled back " + answer.question().doing() + ": " + answer.body(),
                    why.isEmpty() ? answer.body() : why.get(0),
                    false);
        }
        return new Outcome.Refused(why);
    }

    private static boolean isCondition(String why) {
        return CONDITIONS.stream().anyMatch(why::contains);
    }

    /** Ends calls under way and connections. Never fails, may be called twice. */
    @Override
    public void close() {
        http.close();
    }
}
