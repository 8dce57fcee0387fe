package dev.incumbent.fence.dynamodb;

import dev.incumbent.calls.Refreshed;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.time.Instant;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/**
 * Credentials from a source that may block. The source is asked on a thread of its own, so no raise and no commit waits for it while the last credentials are valid.
 * Thread-safe.
 */
final class BackgroundCredentials implements AwsCredentialsProvider, AutoCloseable {
    private final AwsCredentialsProvider source;
    private final Duration patience;
    private final SystemTimeline time = new SystemTimeline();
    private final Refreshed<AwsCredentials> refreshed;

    /**
     * Asks nobody yet.
     *
     * @param source is closed with it, where it can be closed
     * @param patience how long is waited where there are no valid ones
     */
    BackgroundCredentials(AwsCredentialsProvider source, Duration patience) {
        this.source = source;
        this.patience = patience;
        this.refreshed = new Refreshed<>(
                "incumbent-dynamodb-credentials",
                new Refreshed.Clocks(time::nanos, time::wallMillis),
                source::resolveCredentials,
                credentials ->
                        credentials.expirationTime().map(Instant::toEpochMilli).orElse(Refreshed.NEVER));
    }

    /** Throws what the source threw, or a {@link Refreshed.LateException}. */
    @Override
    public AwsCredentials resolveCredentials() {
        return refreshed.get(patience.toNanos());
    }

    @Override
    public void close() {
        refreshed.close();
        time.close();
        if (source instanceof SdkAutoCloseable closeable) {
            closeable.close();
        }
    }
}
