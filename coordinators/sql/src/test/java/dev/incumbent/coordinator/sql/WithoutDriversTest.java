package dev.incumbent.coordinator.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.servers.ClassPath;
import dev.incumbent.servers.Command;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that depends on this module, and on no database. */
class WithoutDriversTest {
    @TempDir
    private Path folder;

    @Test
    void whatIsOpenedNamesTheDriverThatIsMissing() {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");

        String printed = Command.run(
                List.of(
                        java.toString(),
                        "-Dslf4j.internal.verbosity=ERROR",
                        "-cp",
                        withoutDrivers(),
                        OpeningWithoutDrivers.class.getName(),
                        "postgresql://me:secret@localhost:1/db",
                        "mariadb://me:secret@localhost:1/db",
                        "mysql://me:secret@localhost:1/db",
                        "jdbc:h2:file:" + folder.resolve("h2") + ";WRITE_DELAY=0;PASSWORD=secret"),
                Map.of());

        String missing = " needs a driver that is not on the class path; add ";
        assertThat(printed.lines())
                .containsExactly(
                        "CoordinatorUnusableException: the coordinator postgresql://localhost:1/db" + missing
                                + "org.postgresql:postgresql",
                        "CoordinatorUnusableException: the coordinator mariadb://localhost:1/db" + missing
                                + "org.mariadb.jdbc:mariadb-java-client",
                        "CoordinatorUnusableException: the coordinator mysql://localhost:1/db" + missing
                                + "org.mariadb.jdbc:mariadb-java-client",
                        "CoordinatorUnusableException: the coordinator jdbc:h2:file:" + folder.resolve("h2") + missing
                                + "com.h2database:h2");
    }

    private static String withoutDrivers() {
        return Arrays.stream(ClassPath.text().split(File.pathSeparator))
                .filter(entry -> !entry.matches(".*/(postgresql|mariadb-java-client|h2)-[^/]*jar"))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
