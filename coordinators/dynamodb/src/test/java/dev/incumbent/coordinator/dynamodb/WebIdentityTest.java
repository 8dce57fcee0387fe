package dev.incumbent.coordinator.dynamodb;

import static dev.incumbent.coordinator.dynamodb.OpeningTest.failure;
import static dev.incumbent.coordinator.dynamodb.OpeningTest.join;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.dynamodb.DynamoDbUri;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.servers.DynamoDbServer;
import dev.incumbent.time.Timeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.auth.StsWebIdentityTokenFileCredentialsProvider;

/** Credentials that end and come anew from STS, in the requests that reach the server. */
@Tag("patient")
class WebIdentityTest {
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final Duration SHORT_BOUND = Duration.ofSeconds(4);
    private static final Duration ALWAYS_ASKED = Duration.ofSeconds(50);
    private static final CandidateId ADA = new CandidateId("ada@host-1-a");

    @TempDir
    private Path folder;

    private final DynamoDbRig rig = new DynamoDbRig(SharedServer.get(), BOUND);
    private final AtomicLong wallAheadMillis = new AtomicLong();
    private final FakeSts sts;
    private final SignatureLog proxy;

    WebIdentityTest() throws IOException {
        sts = new FakeSts();
        proxy = new SignatureLog(rig.server().port());
    }

    @BeforeEach
    void write() throws IOException {
        Files.writeString(token(), "pod-token");
    }

    @AfterEach
    void close() {
        sts.letGo();
        rig.close();
        proxy.close();
        sts.close();
    }

    @Test
    void requestsAreSignedByTheRoleOfTheWebIdentity() {
        Coordinator client = client(BOUND);

        join(client.grant(ADA, Duration.ofMinutes(1)));

        assertThat(sts.lastToken()).isEqualTo("pod-token");
        assertThat(proxy.last()).isEqualTo("KEY1 session1");
    }

    @Test
    void newCredentialsAndANewTokenAreFollowed() throws IOException {
        sts.setLife(ALWAYS_ASKED);
        Coordinator client = client(BOUND);
        LeaseId lease = join(client.grant(ADA, Duration.ofMinutes(1))).id();
        String first = proxy.last();
        Files.writeString(token(), "rotated-token");

        do {
            join(client.keepAlive(lease));
        } while (proxy.last().equals(first) || !sts.lastToken().equals("rotated-token"));

        assertThat(proxy.last()).matches("KEY(\\d+) session\\1");
    }

    @Test
    void aRefreshThatHangsDisturbsNoKeepAliveWhileTheLastCredentialsAreValid() throws InterruptedException {
        sts.setLife(ALWAYS_ASKED);
        Coordinator client = client(BOUND);
        LeaseId lease = join(client.grant(ADA, Duration.ofMinutes(1))).id();
        join(client.keepAlive(lease));
        sts.hang();
        untilItHangs(client);

        for (int i = 0; i < 20; i++) {
            join(client.keepAlive(lease));
        }

        assertThat(proxy.last()).startsWith("KEY");
    }

    @Test
    @Tag("realtime")
    void onceTheLastCredentialsHaveEndedCallsEndInTimeAndGoOnWithNewOnes() throws InterruptedException {
        sts.setLife(ALWAYS_ASKED);
        Coordinator client = client(SHORT_BOUND);
        LeaseId lease = granted(client);
        sts.hang();
        untilItHangs(client);
        String before = proxy.last();

        wallAheadMillis.set(ALWAYS_ASKED.toMillis());
        CoordinatorException late = failure(client.keepAlive(lease));

        assertThat(late.mayHaveApplied()).isFalse();
        assertThat(late)
                .isNotInstanceOf(CoordinatorUnusableException.class)
                .message()
                .matches("there are no valid AWS credentials .* their source has not answered for \\d+ ms");
        assertThat(proxy.last())
                .as("nothing is sent with credentials that have ended")
                .isEqualTo(before);

        wallAheadMillis.set(0);
        sts.letGo();
        do {
            awaitAnswer(client);
        } while (proxy.last().equals(before));
    }

    private Path token() {
        return folder.resolve("token");
    }

    /** The first request of a JVM takes long. */
    private static LeaseId granted(Coordinator client) {
        awaitAnswer(client);
        while (true) {
            try {
                return client.grant(ADA, Duration.ofMinutes(5))
                        .toCompletableFuture()
                        .join()
                        .id();
            } catch (java.util.concurrent.CompletionException slow) {
                assertThat(slow).hasCauseInstanceOf(CoordinatorException.class);
            }
        }
    }

    private static void awaitAnswer(Coordinator client) {
        while (client.read(Set.of(new ElectionName("billing")))
                .handle((read, slow) -> slow != null)
                .toCompletableFuture()
                .join()) {
            Thread.onSpinWait();
        }
    }

    /** Credentials that end soon are asked for once a second at most, by whoever needs them. */
    private void untilItHangs(Coordinator client) throws InterruptedException {
        Thread asks = new Thread(() -> {
            while (!Thread.interrupted()) {
                CompletionStage<?> one = client.read(Set.of(new ElectionName("billing")));
                one.handle((read, failure) -> failure).toCompletableFuture().join();
            }
        });
        asks.start();
        sts.awaitSomebodyHanging();
        asks.interrupt();
        asks.join();
    }

    private Coordinator client(Duration requestTimeout) {
        StsClient client = StsClient.builder()
                .region(Region.EU_WEST_1)
                .endpointOverride(sts.url())
                .credentialsProvider(AnonymousCredentialsProvider.create())
                .httpClientBuilder(UrlConnectionHttpClient.builder().socketTimeout(Duration.ofMinutes(10)))
                .build();
        var source = StsWebIdentityTokenFileCredentialsProvider.builder()
                .stsClient(client)
                .roleArn("arn:aws:iam::123456789012:role/closer")
                .roleSessionName("session")
                .webIdentityTokenFile(token())
                .build();
        DynamoDbUri address = DynamoDbUri.parse(DynamoDbServer.uri(rig.table(), proxy.port()));
        var credentials = new BackgroundCredentials(source, new Ahead(), requestTimeout);
        return rig.remembered(new DynamoDbCoordinator(
                Opened.of(address, requestTimeout, credentials), rig.timeline(), requestTimeout, Mode.CREATE));
    }

    /** The rig's clocks, save that the wall clock may be ahead. */
    private final class Ahead implements Timeline {
        @Override
        public long nanos() {
            return rig.timeline().nanos();
        }

        @Override
        public long wallMillis() {
            return rig.timeline().wallMillis() + wallAheadMillis.get();
        }

        @Override
        public OptionalLong bootNanos() {
            return OptionalLong.empty();
        }

        @Override
        public Alarm at(long nanos, Runnable task) {
            return rig.timeline().at(nanos, task);
        }
    }
}
