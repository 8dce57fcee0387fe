package dev.incumbent.coordinator.dynamodb;

import dev.incumbent.calls.Refreshed;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.time.Instant;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/**
 * Credentials from a source that may block: from STS, from a container's or an instance's service, from a program. The source is asked on a thread of its own, so no
 * request waits for it while the last credentials are valid. Thread-safe.
 */
final class BackgroundCredentials implements AwsCredentialsProvider, AutoCloseable {
    private final AwsCredentialsProvider source;
    private final Duration patience;
    private final Refreshed<AwsCredentials> refreshed;

    /**
     * Asks nobody yet.
     *
     * @param source is closed with it, where it can be closed
     * @param patience how long a request waits where there are no valid ones
     */
    BackgroundCredentials(AwsCredentialsProvider source, Timeline timeline, Duration patience) {
        this.source = source;
        this.patience = patience;
        this.refreshed = new Refreshed<>(
                "incumbent-dynamodb-credentials",
                new Refreshed.Clocks(timeline::nanos, timeline::wallMillis),
                source::resolveCredentials,
                credentials ->
                        credentials.expirationTime().map(Instant::toEpochMilli).orElse(Refreshed.NEVER));
    }

    @Override
    public AwsCredentials resolveCredentials() {
        return within(patience.toNanos());
    }

    /** Valid ones, waited for so long at most where there are none. Throws what the source threw, or a {@link Refreshed.LateException}. */
    AwsCredentials within(long nanos) {
        return refreshed.get(nanos);
    }

    @Override
    public void close() {
        refreshed.close();
        if (source instanceof SdkAutoCloseable closeable) {
            closeable.close();
        }
    }
}
