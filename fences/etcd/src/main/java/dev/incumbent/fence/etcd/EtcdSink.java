package dev.incumbent.fence.etcd;

import dev.incumbent.etcd.EtcdClient;
import dev.incumbent.etcd.KeyValue;
import dev.incumbent.etcd.Txn;
import dev.incumbent.etcd.TxnReply;
import dev.incumbent.fence.MarkRule;
import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * An etcd as leaders and operators see it. The rule decides here, over the mark that was read; the raise is accepted by etcd only if that mark still stands, by
 * its very text, so that a restored store deceives nobody.
 */
final class EtcdSink implements Sink {
    /** Two keys each, and the sink's id: etcd takes 128 operations in one transaction. */
    private static final int MOST_NAMED = 60;

    private final EtcdClient client;
    private final Duration bound;
    private final MarkKeys keys;

    EtcdSink(EtcdClient client, Duration bound) {
        this.client = client;
        this.bound = bound;
        this.keys = new MarkKeys(client.address().prefix());
    }

    @Override
    public CompletionStage<SinkId> id() {
        return ask(
                "reading its id",
                client.txn(new Txn().get(keys.id()))
                        .thenApply(reply -> new SinkId(installed(reply, 0).value())));
    }

    @Override
    public String label() {
        return client.address().toString();
    }

    @Override
    public CompletionStage<Raise> raise(ElectionName election, Mark mark) {
        return ask("raising " + election + " to " + mark, tryToRaise(election, mark));
    }

    /** Of more than fit into one transaction, all are read. */
    @Override
    public CompletionStage<MarksRead> marks(Set<ElectionName> elections) {
        List<ElectionName> asked = List.copyOf(elections);
        if (asked.size() > MOST_NAMED) {
            Set<ElectionName> some = Set.copyOf(asked);
            return marks().thenApply(all -> all.only(some));
        }
        Txn gets = new Txn().get(keys.id());
        asked.forEach(election -> gets.get(keys.token(election)).get(keys.owner(election)));
        return ask("reading its marks", client.txn(gets).thenApply(reply -> {
            installed(reply, 0);
            MarksRead.Gathered marks = new MarksRead.Gathered();
            for (int i = 0; i < asked.size(); i++) {
                int token = 1 + 2 * i;
                marks.add(asked.get(i), () -> MarkKeys.mark(reply.found(token), reply.found(token + 1)));
            }
            return marks.told();
        }));
    }

    @Override
    public CompletionStage<MarksRead> marks() {
        Txn gets = new Txn().get(keys.id()).getAll(keys.tokens()).getAll(keys.owners());
        return ask("reading its marks", client.txn(gets).thenApply(reply -> {
            installed(reply, 0);
            Map<String, List<KeyValue>> tokens = byName(keys.tokens(), reply.found(1));
            Map<String, List<KeyValue>> owners = byName(keys.owners(), reply.found(2));
            Set<String> names = new TreeSet<>(tokens.keySet());
            names.addAll(owners.keySet());
            MarksRead.Gathered marks = new MarksRead.Gathered();
            for (String name : names) {
                marks.add(
                        name,
                        () -> MarkKeys.mark(
                                tokens.getOrDefault(name, List.of()), owners.getOrDefault(name, List.of())));
            }
            return marks.told();
        }));
    }

    private static Map<String, List<KeyValue>> byName(String beneath, List<KeyValue> found) {
        return found.stream().collect(Collectors.groupingBy(one -> one.key().substring(beneath.length())));
    }

    @Override
    public void close() {
        client.close();
    }

    private CompletableFuture<Raise> tryToRaise(ElectionName election, Mark asked) {
        Txn gets = new Txn().get(keys.id()).get(keys.token(election)).get(keys.owner(election));
        return client.txn(gets).thenCompose(reply -> {
            installed(reply, 0);
            Optional<Mark> inForce = MarkKeys.mark(reply.found(1), reply.found(2));
            Raise raise = inForce.map(MarkRule::at).orElse(MarkRule.unmarked()).raise(asked);
            return raise instanceof Raise.Raised && !inForce.equals(Optional.of(asked))
                    ? write(election, asked, reply)
                    : CompletableFuture.completedFuture(raise);
        });
    }

    /** Writes the mark in place of the one that was read; another one that came meanwhile is read, and decided on, anew. */
    private CompletableFuture<Raise> write(ElectionName election, Mark asked, TxnReply read) {
        Txn raise = new Txn().ifPresent(keys.id());
        unchanged(raise, keys.token(election), read.found(1));
        unchanged(raise, keys.owner(election), read.found(2));
        raise.put(keys.token(election), MarkKeys.digits(asked.token()))
                .put(keys.owner(election), asked.owner().text());
        return client.txn(raise)
                .thenCompose(reply -> reply.succeeded()
                        ? CompletableFuture.completedFuture(new Raise.Raised(asked))
                        : tryToRaise(election, asked));
    }

    private static void unchanged(Txn txn, String key, List<KeyValue> found) {
        if (found.isEmpty()) {
            txn.ifMissing(key);
        } else {
            txn.ifValue(key, found.get(0).value());
        }
    }

    private KeyValue installed(TxnReply reply, int operation) {
        List<KeyValue> found = reply.found(operation);
        if (found.isEmpty()) {
            throw new SinkException(label() + " is not installed as a sink: incumbent fence install --sink URL");
        }
        return found.get(0);
    }

    private <T> CompletionStage<T> ask(String doing, CompletionStage<T> stage) {
        CompletableFuture<T> told = new CompletableFuture<>();
        CompletionStage<T> bounded = stage.toCompletableFuture().orTimeout(bound.toNanos(), TimeUnit.NANOSECONDS);
        bounded.whenComplete((value, failure) -> {
            if (failure == null) {
                told.complete(value);
            } else {
                told.completeExceptionally(told(doing, failure));
            }
        });
        return told;
    }

    private SinkException told(String doing, Throwable failure) {
        SinkException told = told(failure);
        return told.getCause() instanceof TimeoutException
                ? new SinkException(
                        label() + ": " + doing + " gave up after " + bound.toMillis() + " ms", told.getCause())
                : told;
    }

    static SinkException told(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof SinkException known
                ? known
                : new SinkException(String.valueOf(cause.getMessage()), cause);
    }
}
