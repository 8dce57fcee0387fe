package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Control groups below one that its manager has given away, or has not. */
@Timeout(90)
final class DelegatedCgroupTest {
    private static final String NOBODY = "65534";
    private static final int NOT_PERMITTED = 1;

    @TempDir
    private Path folder;

    private Optional<Path> given = Optional.empty();

    @BeforeEach
    void make() throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root may give a control group away");
        Optional<Path> top = Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
                .filter(line -> line.contains(" - cgroup2 "))
                .map(line -> line.split(" ", -1))
                .filter(words -> words[3].equals("/"))
                .map(words -> Path.of(words[4]))
                .filter(Files::isWritable)
                .findFirst();
        assumeTrue(top.isPresent(), "no control groups of version 2");
        given = Optional.of(Files.createDirectory(top.orElseThrow().resolve("test-" + UUID.randomUUID())));
        assumeTrue(Files.exists(cgroup().resolve("cgroup.kill")), "a kernel before 5.14");
    }

    @AfterEach
    void remove() {
        given.ifPresent(made ->
                Await.until("an empty control group", () -> made.toFile().delete()));
    }

    private Path cgroup() {
        return given.orElseThrow();
    }

    private static void run(String... words) throws Exception {
        assertThat(new ProcessBuilder(words).inheritIO().start().waitFor()).isZero();
    }

    private void mark(String attribute, String value) throws Exception {
        String set = "import os, sys; os.setxattr(sys.argv[1], sys.argv[2], sys.argv[3].encode())";
        run("python3", "-c", set, cgroup().toString(), attribute, value);
    }

    /** Words before a program that shall be in it. */
    private String[] inside() {
        return new String[] {"sh", "-c", "echo $$ > " + cgroup() + "/cgroup.procs; exec \"$@\"", "sh"};
    }

    @ParameterizedTest
    @ValueSource(strings = {"user.delegate", "trusted.delegate"})
    void oneThatWasGivenAwayIsDivided(String attribute) throws Exception {
        mark(attribute, "1");
        try (BareSupervisor supervisor = BareSupervisor.by(folder, inside())) {
            supervisor.say("cgroup auto");

            assertThat(supervisor.next())
                    .isEqualTo("cgroup " + cgroup() + "/incumbent-"
                            + supervisor.entry().pid());
            supervisor.say("kill");
            assertThat(supervisor.toTheEnd()).containsExactly("gone killed");
        }
    }

    @ParameterizedTest
    @CsvSource({"user.delegate, 0", "trusted.delegate, 0", "user.other, 1"})
    void oneThatWasNotGivenAwayIsLeftToItsManager(String attribute, String value) throws Exception {
        mark(attribute, value);
        try (BareSupervisor supervisor = BareSupervisor.by(folder, inside())) {
            supervisor.say("cgroup auto");

            assertThat(supervisor.next()).isEqualTo("nocgroup " + NOT_PERMITTED);
        }
    }

    @Test
    void aKillByItReachesWhoBecameAnotherUser() throws Exception {
        run("chown", NOBODY, cgroup().toString(), cgroup() + "/cgroup.procs");
        Path program = DeniedTest.build(folder, DeniedTest.BECOMES_ROOT);
        try (BareSupervisor supervisor = BareSupervisor.asNobody(folder, inside())) {
            supervisor.say("cgroup " + cgroup());
            assertThat(supervisor.next()).startsWith("cgroup " + cgroup() + "/");
            supervisor.start(60_000, program.toString());
            assertThat(supervisor.nextWord()).isEqualTo("ack");
            long pid = Long.parseLong(supervisor.next().substring("forked ".length()));
            assertThat(supervisor.next()).isEqualTo("started");
            Await.until("another user", () -> DeniedTest.ownerOf(pid) == 0);

            supervisor.say("kill");

            Await.until("its end", () -> !new ProcessEntry(pid).isAlive());
            assertThat(supervisor.toTheEnd()).endsWith("signaled 9", "gone killed");
        }
    }
}
