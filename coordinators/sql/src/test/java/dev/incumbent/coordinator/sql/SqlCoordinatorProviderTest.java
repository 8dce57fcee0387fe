package dev.incumbent.coordinator.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which URIs are a SQL database's. */
class SqlCoordinatorProviderTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql://h/db",
                "postgres://h/db",
                "mariadb://h/db",
                "mysql://h/db",
                "jdbc:postgresql://h/db",
                "jdbc:postgres://h/db",
                "jdbc:mariadb://h/db",
                "jdbc:mysql://h/db",
                "jdbc:h2:file:/a/b"
            })
    void theProviderIsFoundOnTheClassPath(String at) {
        assertThat(CoordinatorProvider.of(at)).isInstanceOf(SqlCoordinatorProvider.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:sqlite:c.db", "file:c.db", "jdbc:oracle:thin:h", "postgresql:h"})
    void aUriOfNoSuchDatabaseIsRefused(String at) {
        assertThatThrownBy(() -> new SqlCoordinatorProvider()
                        .open(at, new VirtualTimeline(), Duration.ofSeconds(1), Mode.CREATE))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageStartingWith("no SQL coordinator is known for " + at + "; known are postgresql://");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:oracle://me:secret@h",
                "jdbc:oracle://me:/secret@h",
                "zookeeper://me:secret@h",
                "jdbc:db2://h;password=secret"
            })
    void aRefusalTellsNoPassword(String at) {
        assertThatThrownBy(() -> new SqlCoordinatorProvider()
                        .open(at, new VirtualTimeline(), Duration.ofSeconds(1), Mode.CREATE))
                .isInstanceOf(CoordinatorUnusableException.class)
                .message()
                .doesNotContain("secret");
    }
}
