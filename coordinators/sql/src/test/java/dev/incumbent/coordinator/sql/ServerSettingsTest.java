package dev.incumbent.coordinator.sql;

import static dev.incumbent.coordinator.tck.Asking.ELECTION;
import static dev.incumbent.coordinator.tck.Asking.failure;
import static dev.incumbent.coordinator.tck.Asking.found;
import static dev.incumbent.coordinator.tck.Asking.swapped;
import static dev.incumbent.coordinator.tck.Asking.vacant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.MariaDbServer;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a server's own settings forbid, or end. */
@Tag("field")
final class ServerSettingsTest {
    private final SystemTimeline timeline = new SystemTimeline();

    @AfterEach
    void close() {
        timeline.close();
    }

    /** InnoDB writes no statements into the log of a transaction that is isolated as ours are. */
    @Test
    @Tag("trial")
    void aMariaDbThatLogsStatementsIsRefusedAsASetting() {
        try (MariaDbServer server = MariaDbServer.start(List.of("log-bin=log", "binlog-format=STATEMENT"), Map.of())) {
            assertThatThrownBy(() -> open(server.jdbcUrl()).close())
                    .isInstanceOf(CoordinatorUnusableException.class)
                    .hasMessageContaining("refuses our writes by its settings")
                    .hasMessageContaining("BINLOG_FORMAT");
        }
    }

    /** Its tables are there, and opening writes nothing more. */
    @Test
    @Tag("trial")
    void aMariaDbThatWasSetToLogStatementsLaterRefusesTheLeaseAsASetting() throws Exception {
        try (MariaDbServer server = MariaDbServer.start(List.of("log-bin=log", "binlog-format=ROW"), Map.of())) {
            open(server.jdbcUrl()).close();
            server.client("SET GLOBAL binlog_format = 'STATEMENT'");

            try (Coordinator client = open(server.jdbcUrl())) {
                assertThat(failure(client.grant(new CandidateId("ada@host-1-x"), Duration.ofSeconds(6))))
                        .isInstanceOf(CoordinatorUnusableException.class)
                        .hasMessageContaining("refuses our writes by its settings")
                        .hasMessageContaining("BINLOG_FORMAT");
            }
        }
    }

    /** MySQL tells an idle session that it is over when the next statement comes, and MariaDB's driver goes on with the connection. */
    @Test
    @Tag("realtime")
    void aSessionThatAMySqlEndedForItsIdlenessAppliedNothingAndIsNotUsedAgain() throws Exception {
        ServerRig.Place place = Servers.mySql();
        try (Coordinator client = open(place.url().apply(place.port()) + "&sessionVariables=wait_timeout=1")) {
            Revision first = swapped(client, Revision.ABSENT, vacant(1));
            SystemTimeline.sleep(Duration.ofMillis(2_500));

            CoordinatorException ended = failure(client.swap(ELECTION, first, vacant(2)));

            assertThat(ended).hasMessageContaining("inactivity");
            assertThat(ended.mayHaveApplied()).isFalse();
            swapped(client, first, vacant(2));
            assertThat(found(client).record().term()).isEqualTo(2);
        }
    }

    private Coordinator open(String url) {
        return new SqlCoordinatorProvider().open(url, timeline, Duration.ofSeconds(20), Mode.CREATE);
    }
}
