package dev.incumbent.fence.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.DynamoDbServer;
import dev.incumbent.servers.SkewedClockProxy;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** AWS refuses a request whose time is more than five minutes off. The emulator does not look, so that what stands before it does. */
@Tag("field")
class SkewedClockFenceTest {
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final ElectionName BILLING = new ElectionName("billing/closer");
    private static final Mark SEVEN =
            new Mark(new FencingToken(7), MarkOwner.ofCandidate(new CandidateId("ada@host-1-7")));
    private static DynamoDbServer server;

    private final DynamoDbSinkProvider provider = new DynamoDbSinkProvider();

    @BeforeAll
    static void start() {
        DynamoDbServer.provideCredentials();
        server = DynamoDbServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2020-01-01T12:00:00Z", "2040-01-01T12:00:00Z"})
    void aSinkIsInstalledRaisedAndWrittenByAClockThatIsOff(String clock) throws Exception {
        try (SkewedClockProxy skewed = SkewedClockProxy.before(server.port(), Instant.parse(clock))) {
            String table = "skewed-to-" + clock.substring(0, 4);
            String url = DynamoDbServer.uri(table, skewed.port());
            provider.install(url);

            try (Sink sink = provider.open(url, BOUND);
                    DynamoDbFence fence = DynamoDbFence.at(url, BOUND)) {
                assertThat(sink.raise(BILLING, SEVEN).toCompletableFuture().get())
                        .isInstanceOf(Raise.Raised.class);
                DynamoDbTransaction transaction = fence.begin().put(table, MarkItems.key("ledger", "1"));
                transaction.admit(BILLING, new FencingToken(7));
                transaction.commit();
            }

            assertThat(skewed.refused()).as("one for each client at most").isBetween(1, 3);
        }
    }

    @Test
    void aRefusalFromWhichNothingIsLearnedNamesTheClock() {
        try (SkewedClockProxy skewed =
                        SkewedClockProxy.beforeWithoutDates(server.port(), Instant.parse("2019-01-01T12:00:00Z"));
                Sink sink = provider.open(DynamoDbServer.uri("skewed", skewed.port()), BOUND)) {
            assertThatThrownBy(() -> sink.marks().toCompletableFuture().get())
                    .hasCauseInstanceOf(SinkException.class)
                    .hasMessageContaining("refuses requests for their time, so this machine's clock is to be set:"
                            + " Signature not yet current");
        }
    }
}
