package dev.incumbent.fence.dynamodb;

import dev.incumbent.calls.Refreshed;
import dev.incumbent.dynamodb.DynamoDbUri;
import dev.incumbent.dynamodb.MissingCredentials;
import dev.incumbent.dynamodb.WrongClock;
import dev.incumbent.fence.SinkException;
import dev.incumbent.wire.UriException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
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
 * The SDK's client of one address, and what it was made of. It sends each request once, save what is refused for its time, and each ends within the bound.
 *
 * @param where the region, or the endpoint, for people
 */
record Opened(DynamoDbUri address, String where, DynamoDbClient client, BackgroundCredentials credentials)
        implements AutoCloseable {

    /** Connects to nothing, and asks nobody for credentials yet. */
    static Opened of(String url, Duration bound) {
        DynamoDbUri address = parsed(url);
        DefaultCredentialsProvider.Builder chain = DefaultCredentialsProvider.builder();
        address.profile().ifPresent(chain::profileName);
        return of(address, bound, chain.build());
    }

    static Opened of(DynamoDbUri address, Duration bound, AwsCredentialsProvider source) {
        Region region = address.region().map(Region::of).orElseGet(() -> configuredRegion(address));
        BackgroundCredentials credentials = new BackgroundCredentials(source, bound);
        var builder = DynamoDbClient.builder()
                .region(region)
                .credentialsProvider(credentials)
                .httpClientBuilder(defaults -> new EveryAddressHttp(bound, defaults))
                .overrideConfiguration(
                        override -> override.retryStrategy(retries()).apiCallTimeout(bound));
        address.endpoint().ifPresent(builder::endpointOverride);
        String where = address.endpoint().map(URI::toString).orElse(region.id());
        return new Opened(address, where, builder.build(), credentials);
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

    private static DynamoDbUri parsed(String url) {
        try {
            return DynamoDbUri.parse(url);
        } catch (UriException e) {
            throw new SinkException("the sink " + e.getMessage() + "; " + DynamoDbUri.FORM);
        }
    }

    /** Not by the instance's metadata as the SDK would: where there is no such service, opening would wait for it. */
    private static Region configuredRegion(DynamoDbUri address) {
        try {
            return new AwsRegionProviderChain(
                            new SystemSettingsRegionProvider(),
                            new AwsProfileRegionProvider(null, address.profile().orElse(null)))
                    .getRegion();
        } catch (SdkClientException none) {
            throw new SinkException(
                    "no AWS region is known for the table " + address.table()
                            + ": write ?region=, or set AWS_REGION, or a region in the profile",
                    none);
        }
    }

    String table() {
        return address.table();
    }

    /** For people. */
    String label() {
        return "the table " + table() + " of DynamoDB in " + where;
    }

    /** Before anything is sent, and so that their lack is told as such. */
    void findCredentials() {
        try {
            credentials.resolveCredentials();
        } catch (SdkException none) {
            throw new SinkException(
                    "no AWS credentials are found for DynamoDB in " + where + MissingCredentials.why(firstLine(none)),
                    none);
        } catch (Refreshed.LateException late) {
            throw new SinkException(
                    "there are no valid AWS credentials for DynamoDB in " + where + ": their source "
                            + late.getMessage(),
                    late);
        }
    }

    /** What went wrong, in one sentence that names what and where. */
    SinkException told(SdkException failure) {
        if (failure instanceof AwsServiceException answer) {
            return ofAnswer(answer);
        }
        if (has(failure, UnknownHostException.class)) {
            return new SinkException("the host of DynamoDB in " + where + " is not known", failure);
        }
        String what = isUnreached(failure) ? " cannot be reached" : " did not answer: " + firstLine(failure);
        return new SinkException("DynamoDB in " + where + what, failure);
    }

    private SinkException ofAnswer(AwsServiceException answer) {
        Optional<AwsErrorDetails> details = Optional.ofNullable(answer.awsErrorDetails());
        String code = details.map(AwsErrorDetails::errorCode).orElse("");
        String said = details.map(AwsErrorDetails::errorMessage).orElseGet(() -> firstLine(answer));
        if (WrongClock.isTold(code, said)) {
            return new SinkException(
                    "DynamoDB in " + where + " refuses requests for their time, " + WrongClock.REMEDY + ": " + said,
                    answer);
        }
        return switch (code) {
            case "ResourceNotFoundException" ->
                new SinkException(
                        "DynamoDB in " + where + " has no table " + table()
                                + ": incumbent fence install --sink URL makes it",
                        answer);
            case "AccessDeniedException" -> new SinkException("DynamoDB in " + where + " forbids it: " + said, answer);
            default -> new SinkException(label() + " answered " + code + ": " + said, answer);
        };
    }

    /** Was surely nothing sent? */
    static boolean isUnreached(SdkException failure) {
        return has(failure, ConnectException.class) || has(failure, UnknownHostException.class);
    }

    private static String firstLine(Throwable failure) {
        String said = Optional.ofNullable(failure.getMessage())
                .orElse(failure.getClass().getSimpleName());
        return said.lines().findFirst().orElse("").strip();
    }

    private static boolean has(Throwable failure, Class<? extends Throwable> kind) {
        Throwable one = failure;
        for (int depth = 0; depth < 10 && one != null; depth++) {
            if (kind.isInstance(one)) {
                return true;
            }
            one = one.getCause();
        }
        return false;
    }

    @Override
    public void close() {
        client.close();
        credentials.close();
    }
}
