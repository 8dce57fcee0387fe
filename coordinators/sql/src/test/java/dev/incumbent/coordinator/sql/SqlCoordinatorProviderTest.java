package dev.incumbent.coordinator.sql;

import static dev.incumbent.coordinator.tck.Asking.swapped;
import static dev.incumbent.coordinator.tck.Asking.vacant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.ClassPath;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.time.Timeline;
import dev.incumbent.time.VirtualTimeline;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which URIs are a SQL database's. */
class SqlCoordinatorProviderTest {
    @TempDir
    private Path folder;

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

    @ParameterizedTest
    @ValueSource(strings = {"", ";WRITE_DELAY=500", ";WRITE_DELAY=01", ";USER=sa;PASSWORD=;WRITE_DELAY=00"})
    void anH2FileThatWouldBeWrittenLateIsRefused(String settings) {
        assertRefused("jdbc:h2:file:" + folder.resolve("late") + settings, "write ;WRITE_DELAY=0 behind its path");
        assertThat(folder).isEmptyDirectory();
    }

    /** H2 tells then that it writes at once, and does not. */
    @Test
    void anH2FileThatWasWrittenAtOnceIsRefusedWhereItsUriDoesNotSaySoAgain() {
        String file = "jdbc:h2:file:" + folder.resolve("again");
        try (SystemTimeline timeline = new SystemTimeline()) {
            new SqlCoordinatorProvider()
                    .open(file + ";user=sa;write_delay=0;PASSWORD=", timeline, Duration.ofSeconds(5), Mode.CREATE)
                    .close();
        }

        assertRefused(file, "would forget what it acknowledged last");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mem:x", "tcp://h/x", "ssl://h/x", "zip:/a.zip!/x", "split:/a/x"})
    void anH2ThatIsNoFileOfThisProcessIsRefused(String place) {
        assertRefused(
                "jdbc:h2:" + place + ";WRITE_DELAY=0",
                "is no file that this process opens by itself; write jdbc:h2:file:");
    }

    /** Whoever may not write at once would write late. */
    @Test
    void aUserOfAnH2FileWhoIsNoAdministratorIsRefused() throws Exception {
        String file = "jdbc:h2:file:" + folder.resolve("users") + ";WRITE_DELAY=0";
        try (SystemTimeline timeline = new SystemTimeline()) {
            Coordinator keeper = open(file + ";USER=keeper;PASSWORD=k", timeline);
            swapped(keeper, Revision.ABSENT, vacant(1));
            keeper.close();
        }
        try (Connection connection = DriverManager.getConnection(file, "keeper", "k");
                Statement statement = connection.createStatement()) {
            statement.execute("create user elector password 'hunter4'");
            statement.execute("grant select, insert, update, delete on schema public to elector");
        }

        assertThatThrownBy(() -> open(file + ";USER=elector;PASSWORD=hunter4", new VirtualTimeline()))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining("lacks a right of")
                .hasMessageContaining("Admin rights are required")
                .hasMessageNotContaining("hunter4");
    }

    @Test
    void anH2FileThatAnotherProcessHasOpenIsRefused() throws Exception {
        String at = "jdbc:h2:file:" + folder.resolve("open") + ";WRITE_DELAY=0";
        try (SystemTimeline timeline = new SystemTimeline();
                Coordinator client = open(at, timeline)) {
            Revision first = swapped(client, Revision.ABSENT, vacant(1));

            Process second = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            ClassPath.text(),
                            SwappingAndHalting.class.getName(),
                            at)
                    .redirectErrorStream(true)
                    .start();
            String told = new String(second.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(second.waitFor()).isEqualTo(1);
            assertThat(told).contains("CoordinatorException").contains("Database may be already in use");
            swapped(client, first, vacant(2));
        }
    }

    private static Coordinator open(String at, Timeline timeline) {
        return new SqlCoordinatorProvider().open(at, timeline, Duration.ofSeconds(5), Mode.CREATE);
    }

    private static void assertRefused(String at, String why) {
        assertThatThrownBy(() -> new SqlCoordinatorProvider()
                        .open(at, new VirtualTimeline(), Duration.ofSeconds(1), Mode.CREATE))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining(why);
    }
}
