package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.servers.TemporaryFolder;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An H2 database that another JVM has open. */
@Timeout(120)
class H2ProcessesTest {
    private static final String SHARED = ";AUTO_SERVER=TRUE";

    private final TemporaryFolder folder = TemporaryFolder.create("h2");
    private final String url = "jdbc:h2:file:" + folder.resolve("ledger");

    @BeforeEach
    void install() throws Exception {
        new SqlSinkProvider().install(url);
        try (Connection connection = DriverManager.getConnection(url)) {
            Installation.execute(connection, "CREATE TABLE ledger(line varchar(200) NOT NULL)");
        }
    }

    @AfterEach
    void close() {
        folder.close();
    }

    @Test
    void aSinkThatAnotherProcessHasOpenIsToldAsSuch() throws Exception {
        try (H2OtherProcess other = H2OtherProcess.open(url);
                Sink sink = new SqlSinkProvider().open(url, Duration.ofSeconds(20))) {
            assertThat(other.execute("SELECT 1")).isEqualTo("done");
            assertThatThrownBy(() -> sink.id().toCompletableFuture().get())
                    .hasCauseInstanceOf(SinkException.class)
                    .hasMessageContaining("another process has it open: connect as it does, with AUTO_SERVER=TRUE");
        }
    }

    /** The page's own example. The engine runs in the process that came first; the other one's raise waits for its writers. */
    @Test
    void withAutoServerTheProcessesShareTheSink() throws Exception {
        try (H2OtherProcess other = H2OtherProcess.open(url + SHARED)) {
            raise(7);
            try (Connection leader = Leader.ofTerm7(DriverManager.getConnection(url + SHARED))) {
                Leader.insert(leader, "from afar");
                leader.commit();
            }
            assertThat(other.execute("CALL incumbent_admit('billing', 7)")).isEqualTo("done");
            assertThat(other.execute("INSERT INTO ledger VALUES ('in time')")).isEqualTo("done");
            Thread raise = new Thread(() -> raise(8));
            raise.start();
            raise.join(1_000);
            assertThat(raise.isAlive()).as("the raise waits").isTrue();
            assertThat(other.execute("COMMIT")).isEqualTo("done");
            raise.join();

            assertThat(other.execute("CALL incumbent_admit('billing', 7)")).isEqualTo("IF001");
            assertThat(other.execute("ROLLBACK")).isEqualTo("done");
            try (Connection late = Leader.ofTerm7(DriverManager.getConnection(url + SHARED))) {
                Leader.assertStale(() -> Leader.insert(late, "late"));
                late.rollback();
            }
        }
    }

    private void raise(long to) {
        Leader.raise(url + SHARED, to);
    }
}
