package dev.incumbent.fence.dynamodb;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.dynamodb.DynamoDbUri;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;

/** That credentials are missing is told as such, before anything is sent. */
@Timeout(60)
class MissingCredentialsTest {
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final String URL = "dynamodb://app?region=eu-west-1&endpoint=http://127.0.0.1:1";

    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void goOn() {
        end.countDown();
    }

    @Test
    void aProfileThatIsNotThereIsNamed() throws Exception {
        assertTold(
                ProfileCredentialsProvider.create("no-such-profile"),
                BOUND,
                "no AWS credentials are found for DynamoDB in http://127.0.0.1:1: ",
                "no-such-profile");
    }

    @Test
    void aSourceThatHangsFromTheStartIsToldAsOne() throws Exception {
        assertTold(
                () -> {
                    hang();
                    return AwsBasicCredentials.create("k", "s");
                },
                Duration.ofMillis(200),
                "there are no valid AWS credentials for DynamoDB in http://127.0.0.1:1: their source has not answered"
                        + " for ",
                " ms");
    }

    private static void assertTold(AwsCredentialsProvider source, Duration patience, String start, String end)
            throws Exception {
        try (Opened opened = Opened.of(DynamoDbUri.parse(URL), patience, source);
                Sink sink = new DynamoDbSink(opened, BOUND)) {
            assertThatThrownBy(opened::findCredentials)
                    .isInstanceOf(SinkException.class)
                    .hasMessageStartingWith(start)
                    .hasMessageContaining(end);
            assertThatThrownBy(() -> sink.marks().toCompletableFuture().get())
                    .hasCauseInstanceOf(SinkException.class)
                    .hasMessageContaining(start);
        }
    }

    private void hang() {
        try {
            end.await();
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }
}
