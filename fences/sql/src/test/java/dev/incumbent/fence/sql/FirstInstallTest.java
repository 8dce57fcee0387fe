package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.fence.Sink;
import dev.incumbent.model.SinkId;
import dev.incumbent.servers.TemporaryFolder;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Hosts that are set up together install the fence of an empty database at once: each succeeds, and the sink has one id. */
final class FirstInstallTest {
    private static final int HOSTS = 6;
    private static final SqlSinkProvider PROVIDER = new SqlSinkProvider();
    private static final Duration BOUND = Duration.ofSeconds(10);

    @Test
    void ofAnH2() throws Exception {
        for (int round = 0; round < 5; round++) {
            try (TemporaryFolder folder = TemporaryFolder.create("h2-first")) {
                String url = "jdbc:h2:file:" + folder.resolve("ledger");
                try (Connection keepsItOpen = DriverManager.getConnection(url)) {
                    assertThatAllMayInstall(url);
                    assertThat(keepsItOpen.isValid(1)).isTrue();
                }
            }
        }
    }

    @Test
    void ofAPostgres() throws Exception {
        assertThatAllMayInstall(
                PostgresDatabase.empty(PostgresDatabase.shared()).url());
    }

    @Test
    void ofAMariaDb() throws Exception {
        MariaDbDatabase.shared().client("CREATE DATABASE first_install");
        assertThatAllMayInstall(MariaDbDatabase.shared().jdbcUrl().replace("/incumbent?", "/first_install?"));
    }

    @Test
    void ofAnSqliteFile() throws Exception {
        try (TemporaryFolder folder = TemporaryFolder.create("sqlite-first")) {
            assertThatAllMayInstall("sqlite:" + folder.resolve("ledger.db"));
        }
    }

    private static void assertThatAllMayInstall(String url) throws Exception {
        CyclicBarrier all = new CyclicBarrier(HOSTS);
        List<CompletableFuture<SinkId>> ids = new ArrayList<>();
        for (int i = 0; i < HOSTS; i++) {
            ids.add(CompletableFuture.supplyAsync(() -> installed(url, all), work -> new Thread(work).start()));
        }
        List<SinkId> seen = new ArrayList<>();
        for (CompletableFuture<SinkId> id : ids) {
            seen.add(id.get(60, TimeUnit.SECONDS));
        }
        assertThat(seen).hasSize(HOSTS).containsOnly(seen.get(0));
    }

    private static SinkId installed(String url, CyclicBarrier all) {
        try {
            all.await(10, TimeUnit.SECONDS);
            PROVIDER.install(url);
            try (Sink sink = PROVIDER.open(url, BOUND)) {
                return sink.id().toCompletableFuture().get(20, TimeUnit.SECONDS);
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
