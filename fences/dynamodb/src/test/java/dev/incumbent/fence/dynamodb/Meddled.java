package dev.incumbent.fence.dynamodb;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.CreateTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
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
import software.amazon.awssdk.services.dynamodb.waiters.DynamoDbWaiter;

/** The SDK's client of a sink, between whose requests a test may do something, and whose answers it may change. Remembers what was asked. */
final class Meddled implements DynamoDbClient {
    private final DynamoDbClient client;
    private final List<DynamoDbRequest> asked = new CopyOnWriteArrayList<>();
    private volatile Meddling meddling = (request, real) -> real.apply(request);

    private Meddled(DynamoDbClient client) {
        this.client = client;
    }

    static Meddled with(Opened opened) {
        return new Meddled(opened.client());
    }

    /** What becomes of a request; {@code real} sends it. */
    interface Meddling {
        DynamoDbResponse answer(DynamoDbRequest request, Function<DynamoDbRequest, DynamoDbResponse> real);
    }

    Opened in(Opened opened) {
        return new Opened(opened.address(), opened.where(), this, opened.credentials());
    }

    void meddle(Meddling with) {
        meddling = with;
    }

    List<DynamoDbRequest> asked() {
        return List.copyOf(asked);
    }

    private DynamoDbResponse ask(DynamoDbRequest request, Function<DynamoDbRequest, DynamoDbResponse> real) {
        asked.add(request);
        return meddling.answer(request, real);
    }

    @Override
    public BatchGetItemResponse batchGetItem(BatchGetItemRequest batch) {
        return (BatchGetItemResponse) ask(batch, it -> client.batchGetItem((BatchGetItemRequest) it));
    }

    @Override
    public GetItemResponse getItem(GetItemRequest get) {
        return (GetItemResponse) ask(get, it -> client.getItem((GetItemRequest) it));
    }

    @Override
    public QueryResponse query(QueryRequest query) {
        return (QueryResponse) ask(query, it -> client.query((QueryRequest) it));
    }

    @Override
    public UpdateItemResponse updateItem(UpdateItemRequest update) {
        return (UpdateItemResponse) ask(update, it -> client.updateItem((UpdateItemRequest) it));
    }

    @Override
    public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest write) {
        return (TransactWriteItemsResponse) ask(write, it -> client.transactWriteItems((TransactWriteItemsRequest) it));
    }

    @Override
    public CreateTableResponse createTable(CreateTableRequest create) {
        return (CreateTableResponse) ask(create, it -> client.createTable((CreateTableRequest) it));
    }

    @Override
    public DescribeTableResponse describeTable(DescribeTableRequest describe) {
        return (DescribeTableResponse) ask(describe, it -> client.describeTable((DescribeTableRequest) it));
    }

    /** It asks by way of this client. */
    @Override
    public DynamoDbWaiter waiter() {
        return DynamoDbWaiter.builder().client(this).build();
    }

    @Override
    public String serviceName() {
        return client.serviceName();
    }

    @Override
    public void close() {
        client.close();
    }
}
