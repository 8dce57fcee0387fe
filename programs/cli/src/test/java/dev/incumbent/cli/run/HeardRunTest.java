package dev.incumbent.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.fence.Sinks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that hear each other: the command of the next one starts long before the lease of one that was killed ends. */
@Tag("realtime")
final class HeardRunTest {
    private static final long LEASE_SECONDS = 60;

    @TempDir
    private Path folder;

    private String sink = "";
    private Path keys = Path.of("");

    @BeforeEach
    void install() throws IOException {
        sink = "sqlite:" + folder.resolve("ledger.db");
        Sinks.install(sink);
        keys = Files.writeString(folder.resolve("keys"), "a key of more than sixteen\n");
    }

    @Test
    void aRunThatIsKilledIsFollowedBeforeItsLeaseEnds() {
        Path first = folder.resolve("first");
        Path second = folder.resolve("second");
        try (RunProcess leader = start(first)) {
            RunProcess.awaitLines(first, 1);
            try (RunProcess next = start(second)) {
                RunProcess.await("the leader to be heard", () -> next.err().contains(" is heard\n"));

                leader.kill();
                long killed = System.nanoTime();
                RunProcess.awaitLines(second, 1);

                assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - killed))
                        .isLessThan(LEASE_SECONDS / 2);
                assertThat(next.err()).contains(" is not heard any more: its host refuses the connection\n");
            }
        }
    }

    @Test
    void aPortThatIsTakenAndKeysThatAreNoneAreRefused() throws IOException {
        Path none = Files.writeString(folder.resolve("none"), "short\n");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertRefused(78, "cannot listen at 127.0.0.1:", "--beats", "127.0.0.1:" + taken.getLocalPort());
        }
        assertRefused(78, "--beats-keys: ", "--beats", "127.0.0.1:0", "--beats-keys", folder + "/missing");
        assertRefused(64, "is shorter than 16", "--beats", "127.0.0.1:0", "--beats-keys", none.toString());
        assertRefused(64, "without keys: name a file of keys", "--beats", "0.0.0.0:0");
        assertRefused(64, "'nonsense' is no HOST:PORT", "--beats", "nonsense");
        assertRefused(64, "--beats-advertise h1:7 has no effect without", "--beats-advertise", "h1:7");
        assertRefused(64, "--beats-keys " + keys + " has no effect without --beats", "--beats-keys", keys.toString());
    }

    private void assertRefused(int code, String why, String... flags) {
        List<String> words = new ArrayList<>(List.of("job"));
        words.addAll(List.of(flags));
        words.addAll(List.of("--", "true"));
        try (RunProcess run = RunProcess.start(folder, words.toArray(new String[0]))) {
            assertThat(run.exitCode()).as(run.err()).isEqualTo(code);
            assertThat(run.err()).contains(why);
        }
    }

    private RunProcess start(Path begun) {
        List<String> words = new ArrayList<>(List.of("job", "--lease", LEASE_SECONDS + "s", "--sink", sink, "-v"));
        words.addAll(List.of("--beats", "127.0.0.1:0", "--beats-keys", keys.toString()));
        words.addAll(List.of("--", "sh", "-c", "echo > " + begun + "; exec sleep 60"));
        return RunProcess.start(folder, words.toArray(new String[0]));
    }
}
