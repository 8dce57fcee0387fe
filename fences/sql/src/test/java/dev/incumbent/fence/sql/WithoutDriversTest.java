package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.servers.Command;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that depends on this module, and on no database but SQLite. */
class WithoutDriversTest {
    @TempDir
    private Path folder;

    @Test
    void sqliteOpensAndTheOthersNameTheDriverThatIsMissing() {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        String file = "jdbc:sqlite:" + folder.resolve("ledger.db");
        new SqlSinkProvider().install(file);

        String printed = Command.run(
                List.of(
                        java.toString(),
                        "-Dslf4j.internal.verbosity=ERROR",
                        "-cp",
                        withoutDrivers(),
                        OpeningWithoutDrivers.class.getName(),
                        file,
                        "postgresql://me:secret@localhost:1/db",
                        "mariadb://me:secret@localhost:1/db",
                        "jdbc:h2:file:" + folder.resolve("h2") + ";PASSWORD=secret"),
                Map.of());

        String missing = " needs a driver that is not on the class path; add ";
        assertThat(printed.lines())
                .containsExactly(
                        "opened " + file.substring("jdbc:".length()),
                        "a sink in PostgreSQL" + missing + "org.postgresql:postgresql",
                        "a sink in MariaDB" + missing + "org.mariadb.jdbc:mariadb-java-client",
                        "a sink in H2" + missing + "com.h2database:h2");
    }

    private static String withoutDrivers() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.matches(".*/(postgresql|mariadb-java-client|h2)-[^/]*jar"))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
