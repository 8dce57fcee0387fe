package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.Sinks;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.MariaDbServer;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A replica knows what may be old, and an administrator may write to it all the same: it is no sink until it takes writes. */
@Tag("field")
class MariaDbReadOnlyTest {
    private static final Mark MARK = new Mark(new FencingToken(7), MarkOwner.ofOperator("me"));
    private static final String REFUSAL = "the server is read-only, as a replica is";

    @Test
    void aServerThatIsReadOnlyTakesNoRaiseAndTellsNoMarkEvenToItsAdministrator() {
        try (MariaDbServer server = MariaDbServer.start()) {
            Sinks.install(server.jdbcUrl());
            assertThat(server.client("set global read_only=1")).isEmpty();

            try (Sink sink = new SqlSinkProvider().open(server.jdbcUrl(), Duration.ofSeconds(10))) {
                assertThatThrownBy(() -> sink.raise(Leader.BILLING, MARK)
                                .toCompletableFuture()
                                .join())
                        .hasMessageContaining(REFUSAL);
                assertThatThrownBy(() -> sink.marks().toCompletableFuture().join())
                        .hasMessageContaining(REFUSAL);

                assertThat(server.client("set global read_only=0")).isEmpty();
                assertThat(sink.raise(Leader.BILLING, MARK)
                                .toCompletableFuture()
                                .join())
                        .isInstanceOf(Raise.Raised.class);
            }
        }
    }
}
