package dev.incumbent.coordinator.dynamodb;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.dynamodb.DynamoDbUri;
import dev.incumbent.time.Timeline;
import dev.incumbent.wire.UriException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.retry.RetryUtils;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The SDK's client of one address, and what it was made of. It sends each request once, save what is refused for its time: the answer to one that is sent again is that of its own
 * first sending.
 *
 * @param where the region, or the endpoint, for people
 * @param deadlines ends what is under way when its time is over
 */
record Opened(
        DynamoDbUri address,
        String where,
        DynamoDbClient client,
        BackgroundCredentials credentials,
        ScheduledThreadPoolExecutor deadlines)
        implements AutoCloseable {

    /** {@link #of(DynamoDbUri, Timeline, Duration)} of a URI that a user wrote. */
    static Opened at(String uri, Timeline timeline, Duration requestTimeout) {
        try {
            return of(DynamoDbUri.parse(uri), timeline, requestTimeout);
        } catch (UriException e) {
            throw new CoordinatorUnusableException("the coordinator " + e.getMessage() + "; " + DynamoDbUri.FORM);
        }
    }

    /** Connects to nothing, and asks nobody for credentials yet. */
    static Opened of(DynamoDbUri address, Timeline timeline, Duration requestTimeout) {
        return of(address, requestTimeout, new BackgroundCredentials(chain(address), timeline, requestTimeout));
    }

    static Opened of(DynamoDbUri address, Duration requestTimeout, BackgroundCredentials credentials) {
        Region region = address.region().map(Region::of).orElseGet(() -> configuredRegion(address));
        ScheduledThreadPoolExecutor deadlines = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "incumbent-dynamodb-deadlines");
            thread.setDaemon(true);
            return thread;
        });
        deadlines.setRemoveOnCancelPolicy(true);
        var builder = DynamoDbClient.builder()
                .region(region)
                .credentialsProvider(credentials)
                .httpClientBuilder(defaults -> new EveryAddressHttp(requestTimeout, defaults))
                .overrideConfiguration(
                        override -> override.retryStrategy(retries()).scheduledExecutorService(deadlines));
        address.endpoint().ifPresent(builder::endpointOverride);
        String where = address.endpoint().map(URI::toString).orElse(region.id());
        return new Opened(address, where, builder.build(), credentials, deadlines);
    }

    /**
     * A request that is refused for its time is sent once more: by the date of the refusal, the SDK has learned how far the clocks are apart. Nothing else is sent
     * twice.
     */
    private static RetryStrategy retries() {
        return DefaultRetryStrategy.standardStrategyBuilder()
                .useClientDefaults(false)
                .maxAttempts(2)
                .backoffStrategy(BackoffStrategy.retryImmediately())
                .retryOnException(
                        failure -> failure instanceof SdkException refusal && RetryUtils.isClockSkewException(refusal))
                .build();
    }

    private static AwsCredentialsProvider chain(DynamoDbUri address) {
        DefaultCredentialsProvider.Builder chain = DefaultCredentialsProvider.builder();
        address.profile().ifPresent(chain::profileName);
        return chain.build();
    }

    /** Not by the instance's metadata as the SDK would: where there is no such service, opening would wait for it. */
    private static Region configuredRegion(DynamoDbUri address) {
        try {
            return new AwsRegionProviderChain(
                            new SystemSettingsRegionProvider(),
                            new AwsProfileRegionProvider(null, address.profile().orElse(null)))
                    .getRegion();
        } catch (SdkClientException none) {
            throw new CoordinatorUnusableException(
                    "no AWS region is known for the table " + address.table()
                            + ": write ?region=, or set AWS_REGION, or a region in the profile",
                    none);
        }
    }

    /** For people. */
    String table() {
        return "the table " + address.table() + " of DynamoDB in " + where;
    }

    /** For people, of what is not about the table. */
    String server() {
        return "DynamoDB in " + where;
    }

    @Override
    public void close() {
        client.close();
        deadlines.shutdownNow();
        credentials.close();
    }
}
