package dev.incumbent.fence.dynamodb;

import dev.incumbent.fence.MarkRule;
import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/**
 * A table as leaders and operators see it. The rule decides here, over the mark that was read; the raise is accepted by DynamoDB only if that mark still stands, by
 * its very number and owner, so that a restored table deceives nobody. Requests block, on two threads of its own.
 */
final class DynamoDbSink implements Sink {
    private static final int THREADS = 2;

    /** Another mark may come between the reading and the writing; that often it is decided anew. */
    private static final int MOST_TRIES = 20;

    private final Opened opened;
    private final Duration bound;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
        Thread thread = new Thread(task, "incumbent-dynamodb-sink");
        thread.setDaemon(true);
        return thread;
    });

    DynamoDbSink(Opened opened, Duration bound) {
        this.opened = opened;
        this.bound = bound;
    }

    @Override
    public CompletionStage<SinkId> id() {
        return ask("reading its id", this::installed);
    }

    @Override
    public String label() {
        return "dynamodb://" + opened.table() + " in " + opened.where();
    }

    @Override
    public CompletionStage<Raise> raise(ElectionName election, Mark mark) {
        return ask("raising " + election + " to " + mark, () -> {
            installed();
            return tryToRaise(election, mark);
        });
    }

    @Override
    public CompletionStage<MarksRead> marks(Set<ElectionName> elections) {
        Set<ElectionName> asked = Set.copyOf(elections);
        return ask("reading its marks", () -> marksOf(asked));
    }

    @Override
    public CompletionStage<MarksRead> marks() {
        return ask("reading its marks", () -> {
            Set<ElectionName> listed = new TreeSet<>();
            opened.client()
                    .queryPaginator(query -> query.tableName(opened.table())
                            .consistentRead(true)
                            .keyConditionExpression("pk = :pk")
                            .expressionAttributeValues(Map.of(":pk", AttributeValue.fromS(MarkItems.MARKS))))
                    .items()
                    .forEach(item -> Optional.ofNullable(item.get(MarkItems.SORT))
                            .flatMap(name -> ElectionName.ifLegal(name.s()))
                            .ifPresent(listed::add));
            return marksOf(listed);
        });
    }

    @Override
    public void close() {
        threads.shutdownNow();
        opened.close();
    }

    /** The sink's id is read with them: none is told of a sink that is not installed. */
    private MarksRead marksOf(Set<ElectionName> elections) {
        List<Map<String, AttributeValue>> asked = new ArrayList<>(List.of(MarkItems.sink()));
        elections.forEach(election -> asked.add(MarkItems.mark(election)));
        Map<Map<String, AttributeValue>, Map<String, AttributeValue>> found =
                new BatchRead(opened.client(), opened.table()).items(asked);
        installed(found.getOrDefault(MarkItems.sink(), Map.of()));
        MarksRead.Gathered marks = new MarksRead.Gathered();
        for (ElectionName election : elections) {
            Map<String, AttributeValue> item = found.getOrDefault(MarkItems.mark(election), Map.of());
            marks.add(election, () -> MarkItems.read(item));
        }
        return marks.told();
    }

    private Raise tryToRaise(ElectionName election, Mark asked) {
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            Optional<Mark> inForce = MarkItems.read(item(MarkItems.mark(election)));
            Raise raise = inForce.map(MarkRule::at).orElse(MarkRule.unmarked()).raise(asked);
            if (!(raise instanceof Raise.Raised) || inForce.equals(Optional.of(asked))) {
                return raise;
            }
            if (inForce.isEmpty()) {
                opened.client()
                        .updateItem(update -> update.tableName(opened.table()).key(MarkItems.listed(election)));
            }
            if (write(election, inForce, asked)) {
                return raise;
            }
        }
        throw new SinkException(label() + ": the mark of " + election + " kept changing");
    }

    /** Writes the mark in place of the one that was read; false where another one has come meanwhile. */
    private boolean write(ElectionName election, Optional<Mark> read, Mark asked) {
        Map<String, AttributeValue> values = new HashMap<>();
        values.put(":token", MarkItems.number(asked.token()));
        values.put(":owner", AttributeValue.fromS(asked.owner().text()));
        read.ifPresent(mark -> {
            values.put(":lastToken", MarkItems.number(mark.token()));
            values.put(":lastOwner", AttributeValue.fromS(mark.owner().text()));
        });
        String condition = read.isPresent() ? "#t = :lastToken and #o = :lastOwner" : "attribute_not_exists(#t)";
        try {
            opened.client()
                    .updateItem(update -> update.tableName(opened.table())
                            .key(MarkItems.mark(election))
                            .conditionExpression(condition)
                            .updateExpression("SET #t = :token, #o = :owner")
                            .expressionAttributeNames(Map.of("#t", MarkItems.TOKEN, "#o", MarkItems.OWNER))
                            .expressionAttributeValues(values));
            return true;
        } catch (ConditionalCheckFailedException another) {
            return false;
        }
    }

    private SinkId installed() {
        return installed(item(MarkItems.sink()));
    }

    private SinkId installed(Map<String, AttributeValue> sink) {
        return Optional.ofNullable(sink.get(MarkItems.ID))
                .map(id -> new SinkId(id.s()))
                .orElseThrow(() -> new SinkException(
                        opened.label() + " is not installed as a sink: incumbent fence install --sink URL"));
    }

    /** Empty where there is none. */
    private Map<String, AttributeValue> item(Map<String, AttributeValue> key) {
        return opened.client()
                .getItem(get -> get.tableName(opened.table()).key(key).consistentRead(true))
                .item();
    }

    private <T> CompletionStage<T> ask(String doing, Supplier<T> work) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        CompletableFuture<T> told = new CompletableFuture<>();
        CompletableFuture<T> unused = answer.orTimeout(bound.toNanos(), TimeUnit.NANOSECONDS)
                .whenComplete((value, failure) -> {
                    if (failure == null) {
                        told.complete(value);
                    } else {
                        told.completeExceptionally(
                                failure instanceof TimeoutException ? late(doing, failure) : failure);
                    }
                });
        try {
            threads.execute(() -> run(answer, work));
        } catch (RejectedExecutionException closed) {
            answer.completeExceptionally(new SinkException(label() + " is closed", closed));
        }
        return told;
    }

    private SinkException late(String doing, Throwable failure) {
        return new SinkException(label() + ": " + doing + " gave up after " + bound.toMillis() + " ms", failure);
    }

    private <T> void run(CompletableFuture<T> told, Supplier<T> work) {
        if (told.isDone()) {
            return;
        }
        try {
            opened.findCredentials();
            told.complete(work.get());
        } catch (SdkException failure) {
            told.completeExceptionally(opened.told(failure));
        } catch (RuntimeException failure) {
            told.completeExceptionally(
                    failure instanceof SinkException ? failure : new SinkException(failure.toString(), failure));
        }
    }
}
