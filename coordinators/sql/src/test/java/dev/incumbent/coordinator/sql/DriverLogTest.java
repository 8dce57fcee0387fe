package dev.incumbent.coordinator.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.servers.ClassPath;
import dev.incumbent.servers.MariaDbServer;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What MariaDB's driver writes to standard error of a server that refuses a user, in a program without slf4j. */
class DriverLogTest {
    @TempDir
    private Path folder;

    @Test
    void itWritesNothingWhereNobodyAskedForItsLog() throws Exception {
        assertThat(writtenWith(List.of())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mariadb.logging.disable=false",
                "mariadb.logging.fallback=CONSOLE",
                "mariadb.logging.fallback.console.debug=true"
            })
    void itsOwnPropertiesDecideWhereOneOfThemIsSet(String property) throws Exception {
        assertThat(writtenWith(List.of("-D" + property))).contains("Access denied");
    }

    private String writtenWith(List<String> properties) throws Exception {
        ServerRig.Place place = Servers.mariaDb();
        Path log = folder.resolve("stderr");
        List<String> line = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        line.addAll(properties);
        line.addAll(List.of(
                "-cp",
                withoutSlf4j(),
                OpeningWithoutDrivers.class.getName(),
                place.url().apply(place.port()).replace(MariaDbServer.PASSWORD, "wrong")));

        Process program = new ProcessBuilder(line).redirectError(log.toFile()).start();
        String told = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(program.waitFor()).isZero();
        assertThat(told).contains("wrong password");
        return Files.readString(log);
    }

    private static String withoutSlf4j() {
        return Arrays.stream(ClassPath.text().split(File.pathSeparator))
                .filter(entry -> !entry.matches(".*/slf4j-[^/]*jar"))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
