package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
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

    private final GivenCgroup given = new GivenCgroup();

    @BeforeEach
    void make() throws IOException {
        given.make();
    }

    @AfterEach
    void remove() {
        given.remove();
    }

    @ParameterizedTest
    @ValueSource(strings = {"user.delegate", "trusted.delegate"})
    void oneThatWasGivenAwayIsDivided(String attribute) throws Exception {
        given.mark(attribute, "1");
        try (BareSupervisor supervisor = BareSupervisor.by(folder, given.inside())) {
            supervisor.say("cgroup auto");

            assertThat(supervisor.next())
                    .isEqualTo("cgroup " + given.folder() + "/incumbent-"
                            + supervisor.entry().pid());
            supervisor.say("kill");
            assertThat(supervisor.toTheEnd()).containsExactly("gone killed");
        }
    }

    @ParameterizedTest
    @CsvSource({"user.delegate, 0", "trusted.delegate, 0", "user.other, 1"})
    void oneThatWasNotGivenAwayIsLeftToItsManager(String attribute, String value) throws Exception {
        given.mark(attribute, value);
        try (BareSupervisor supervisor = BareSupervisor.by(folder, given.inside())) {
            supervisor.say("cgroup auto");

            assertThat(supervisor.next()).isEqualTo("nocgroup " + NOT_PERMITTED);
        }
    }

    @Test
    void aKillByItReachesWhoBecameAnotherUser() throws Exception {
        given.giveTo(NOBODY);
        Path program = DeniedTest.build(folder, DeniedTest.BECOMES_ROOT);
        try (BareSupervisor supervisor = BareSupervisor.asNobody(folder, given.inside())) {
            supervisor.say("cgroup " + given.folder());
            assertThat(supervisor.next()).startsWith("cgroup " + given.folder() + "/");
            supervisor.start(60_000, program.toString());
            assertThat(supervisor.nextWord()).isEqualTo("ack");
            long pid = Long.parseLong(supervisor.next().substring("forked ".length()));
            assertThat(supervisor.next()).isEqualTo("started");
            Await.until("another user", () -> DeniedTest.ownerOf(pid) == 0);

            supervisor.say("sig 10", "kill");

            Await.until("its end", () -> !new ProcessEntry(pid).isAlive());
            assertThat(supervisor.toTheEnd())
                    .as("nobody is told that it may not be signalled")
                    .containsExactly("signaled 9", "gone killed");
        }
    }
}
