package dev.incumbent.coordinator.dynamodb;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.dynamodb.DynamoDbUri;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** The SDK's client of a rig's table, between whose requests a test may do something, and whose answers it may change. Remembers what was asked. Thread-safe. */
final class Meddled implements DynamoDbClient {
    private final Opened opened;
    private final List<DynamoDbRequest> asked = new CopyOnWriteArrayList<>();
    private volatile Meddling meddling = (request, real) -> real.apply(request);
    private volatile Runnable beforeCredentials = () -> {};

    private Meddled(Opened opened) {
        this.opened = opened;
    }

    static Meddled with(DynamoDbRig rig) {
        return new Meddled(
                Opened.of(DynamoDbUri.parse(rig.server().uri(rig.table())), rig.timeline(), rig.requestTimeout()));
    }

    /** What becomes of a request; {@code real} sends it. */
    interface Meddling {
        DynamoDbResponse answer(DynamoDbRequest request, Function<DynamoDbRequest, DynamoDbResponse> real);
    }

    /** A coordinator over it, which ends it. */
    Coordinator coordinator(Timeline timeline, Duration requestTimeout, Mode mode) {
        AwsCredentialsProvider source = () -> {
            beforeCredentials.run();
            return opened.credentials().resolveCredentials();
        };
        var credentials = new BackgroundCredentials(source, timeline, requestTimeout);
        Opened over = new Opened(opened.address(), opened.where(), this, credentials, opened.deadlines());
        return new DynamoDbCoordinator(over, timeline, requestTimeout, mode);
    }

    void meddle(Meddling with) {
        meddling = with;
    }

    /** Does something whenever credentials are asked for. */
    void beforeCredentials(Runnable deed) {
        beforeCredentials = deed;
    }

    /** Does something just before the next of those requests is sent. */
    void before(Predicate<DynamoDbRequest> those, Runnable deed) {
        AtomicBoolean isDone = new AtomicBoolean();
        meddle((request, real) -> {
            if (those.test(request) && !isDone.getAndSet(true)) {
                deed.run();
            }
            return real.apply(request);
        });
    }

    /** All that was asked, and not only sent. */
    List<DynamoDbRequest> asked() {
        return List.copyOf(asked);
    }

    private DynamoDbResponse ask(DynamoDbRequest request, Function<DynamoDbRequest, DynamoDbResponse> real) {
        asked.add(request);
        return meddling.answer(request, real);
    }

    @Override
    public GetItemResponse getItem(GetItemRequest get) {
        return (GetItemResponse) ask(get, it -> opened.client().getItem((GetItemRequest) it));
    }

    @Override
    public BatchGetItemResponse batchGetItem(BatchGetItemRequest get) {
        return (BatchGetItemResponse) ask(get, it -> opened.client().batchGetItem((BatchGetItemRequest) it));
    }

    @Override
    public QueryResponse query(QueryRequest query) {
        return (QueryResponse) ask(query, it -> opened.client().query((QueryRequest) it));
    }

    @Override
    public UpdateItemResponse updateItem(UpdateItemRequest update) {
        return (UpdateItemResponse) ask(update, it -> opened.client().updateItem((UpdateItemRequest) it));
    }

    @Override
    public DeleteItemResponse deleteItem(DeleteItemRequest delete) {
        return (DeleteItemResponse) ask(delete, it -> opened.client().deleteItem((DeleteItemRequest) it));
    }

    @Override
    public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest write) {
        return (TransactWriteItemsResponse)
                ask(write, it -> opened.client().transactWriteItems((TransactWriteItemsRequest) it));
    }

    @Override
    public String serviceName() {
        return opened.client().serviceName();
    }

    @Override
    public void close() {
        opened.close();
    }
}
