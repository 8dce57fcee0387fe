package dev.incumbent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.ForwardingCoordinator;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code incumbent agent} refuses before it listens: one sentence each. That it runs is shown by {@link AgentScriptTest}. */
@Timeout(60)
class AgentVerbTest {
    private final SystemTimeline timeline = new SystemTimeline();
    private final Office office = new Office(timeline);

    @TempDir
    Path folder;

    @AfterEach
    void endTheTimeline() {
        timeline.close();
    }

    @Test
    void aPortNeedsTokens() {
        refused(64, "--listen 127.0.0.1:7407 needs --rights FILE");
        refused(64, "--listen 127.0.0.1:1 needs --rights FILE", "--listen", "127.0.0.1:1");
    }

    @Test
    void onlyThisMachineIsListenedOn() {
        refused(64, "is no address of this machine alone", "--listen", "0.0.0.0:7407");
        refused(64, "is neither HOST:PORT nor unix:/path", "--listen", "7407");
        refused(64, "is neither HOST:PORT nor unix:/path", "--listen", "127.0.0.1:70000");
        refused(64, "has no absolute path", "--listen", "unix:agent.sock");
        refused(64, "at most 107 bytes", "--listen", "unix:/" + "a".repeat(107));
    }

    @Test
    void aFileOfTokensThatIsNoneIsRefusedAndNoTokenIsRepeated() throws IOException {
        Path file = folder.resolve("tokens");
        tokens(file, "secret-of-16-letters", "it is TOKEN PREFIX read|campaign|watchdog|operate, or user:NAME");
        tokens(
                file,
                "secret-of-16-letters a write",
                "line 1 of the file of rights " + file + " ends in none of read, campaign, watchdog and operate");
        tokens(file, "secret-of-16-letters /a read", "has a prefix that is no election's name");
        tokens(file, "short a read", "fewer than 16 characters");
        tokens(file, "# nothing", "has 0 lines; it has 1 to 1000");
        refused(78, "cannot be read", "--rights", folder.resolve("none").toString());
    }

    @Test
    void whatCannotWorkIsRefused() throws IOException {
        String socket = "unix:" + folder.resolve("agent.sock");
        refused(
                78,
                "--lease 999ms is shorter than owners live, which is 1s at least",
                "--listen",
                socket,
                "--lease",
                "999ms");
        refused(78, "--lease 100ms is shorter", "--listen", socket, "--lease", "100ms");
        refused(
                78,
                "--watchdog /dev/watchdog: a watchdog counts whole seconds, so the stop budget is 3 s at least, and that of a"
                        + " lease of 8000 ms is 2666 ms: give a lease of 9s or more",
                "--listen",
                socket,
                "--lease",
                "8s",
                "--watchdog",
                "/dev/watchdog");
        refused(
                78,
                "--watchdog /dev/null: it is no watchdog of which this kernel tells under /sys/class/watchdog",
                "--listen",
                socket,
                "--watchdog",
                "/dev/null");
        refused(64, "--name has 1 to 128 characters", "--listen", socket, "--name", "a b");
        refused(78, "no sink opens", "--listen", socket, "--sink", "ftp://x");
        refused(
                64,
                "--on-alarm is a command for sh, such as 'logger -t incumbent'",
                "--listen",
                socket,
                "--on-alarm",
                " ");
        Files.writeString(folder.resolve("agent.sock"), "a file");
        refused(78, "is no socket, and stays", "--listen", socket);
        assertThat(Files.readString(folder.resolve("agent.sock"))).isEqualTo("a file");
    }

    @Test
    void whatCannotTurnAnybodyOffIsRefused() throws IOException {
        String file = Files.writeString(
                        folder.resolve("stonith.conf"), "[a]\noff = exit 0\nstatus = exit 2\npcmk_host_list = n1\n")
                .toString();
        String[] socket = {"--listen", "unix:" + folder.resolve("agent.sock")};

        refused(64, "--stonith-for has no effect without --stonith FILE", and(socket, "--stonith-for", "disk/"));
        refused(64, "--stonith-node has no effect without --stonith FILE", and(socket, "--stonith-node", "n2"));
        refused(
                64,
                "--stonith-for is the name of an election, or NAME/ for all beneath it; this one is '/'",
                and(socket, "--stonith", file, "--stonith-node", "n2", "--stonith-for", "/"));
        refused(
                78,
                "--stonith: " + folder.resolve("none") + " cannot be read",
                and(socket, "--stonith", folder.resolve("none").toString(), "--stonith-node", "n2"));
        refused(
                78,
                "--stonith: a fence agent has 20000 ms, but with a lease of 15000 ms the guard holds for ",
                and(socket, "--stonith", file, "--stonith-node", "n2", "--stonith-timeout", "20s"));
    }

    private static String[] and(String[] some, String... more) {
        return Stream.concat(Stream.of(some), Stream.of(more)).toArray(String[]::new);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "batch/",
                "batch/=",
                "batch/= ",
                "=memory:x",
                "*=memory:x",
                "/=memory:x",
                "batch//=memory:x",
                "a b=memory:x",
                "etcd://app:secret-of-batch@h/x",
                "batch//=etcd://app:secret-of-batch@h/x",
                "postgresql://h/x?password=secret-of-batch"
            })
    void aPrefixThatIsNoneIsRefused(String prefix) {
        refused(
                64,
                "--prefix is PREFIX=URI, where PREFIX is the name of an election, or NAME/ for all beneath it; this one is '",
                "--prefix",
                prefix);
    }

    @Test
    void aPrefixHasOneCoordinatorAndAnAgentFew() {
        refused(64, "--prefix a/ is there twice", "--prefix", "a/=memory:x", "--prefix", "a/=memory:x");
        List<String> many = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            many.addAll(List.of("--prefix", "p" + i + "=memory:" + i));
        }
        refused(64, "name 9 coordinators; an agent has at most 8", many.toArray(new String[0]));
    }

    @Test
    void aCoordinatorThatCannotBeIsNamedByItsPrefixAndNothingStaysOpen() {
        refused(
                78,
                "no coordinator opens --prefix a, b/ 'ftp://***@h'; known schemes are memory",
                "--listen",
                "unix:" + folder.resolve("agent.sock"),
                "--prefix",
                "b/=ftp://app:secret-of-batch@h",
                "--prefix",
                "a=ftp://app:secret-of-batch@h");
        refusedAtTheSecond(
                78, new CoordinatorUnusableException("its folder is gone"), "--prefix a/: its folder is gone");
        refusedAtTheSecond(69, new CoordinatorException("it is away", false), "--prefix a/: it is away");
    }

    private void refusedAtTheSecond(int code, CoordinatorException refused, String sentence) {
        Opened opened = new Opened();
        CommandRun run = office.runOver(
                one -> {
                    if (opened.count.get() == 1) {
                        throw refused;
                    }
                    return opened.counting(one);
                },
                Map.of(),
                "agent",
                "--listen",
                "unix:" + folder.resolve("agent.sock"),
                "--prefix",
                "a/=memory:a");

        assertThat(run.code()).as(run.err()).isEqualTo(code);
        assertThat(run.err()).isEqualTo("incumbent: " + sentence + "\n");
        assertThat(opened.isOpen).hasValue(0);
    }

    @Test
    void aUriIsOpenedOnceHoweverManyPrefixesNameIt() {
        Opened opened = new Opened();

        CommandRun run = office.runOver(
                opened::counting,
                Map.of("INCUMBENT_PREFIX", "not read"),
                "agent",
                "--listen",
                "unix:" + folder.resolve("agent.sock"),
                "--prefix",
                "a/=memory:one",
                "--prefix",
                "b/=memory:one",
                "--prefix",
                "c/=memory:office",
                "--sink",
                "ftp://x");

        assertThat(run.err()).contains("no sink opens");
        assertThat(opened.count).hasValue(2);
        assertThat(opened.isOpen).hasValue(0);
    }

    /** How many coordinators were opened, and how many of them are open. */
    private static final class Opened {
        private final AtomicInteger count = new AtomicInteger();
        private final AtomicInteger isOpen = new AtomicInteger();

        private Coordinator counting(Coordinator one) {
            count.incrementAndGet();
            isOpen.incrementAndGet();
            return new ForwardingCoordinator(one) {
                @Override
                public void close() {
                    isOpen.decrementAndGet();
                    super.close();
                }
            };
        }
    }

    private void tokens(Path file, String text, String sentence) throws IOException {
        Files.writeString(file, text + "\n");
        refused(78, sentence, "--rights", file.toString());
    }

    private void refused(int code, String sentence, String... flags) {
        String[] line = new String[flags.length + 1];
        line[0] = "agent";
        System.arraycopy(flags, 0, line, 1, flags.length);

        CommandRun run = office.run(line);

        assertThat(run.code()).as(run.err()).isEqualTo(code);
        assertThat(run.err()).contains(sentence).hasLineCount(1).doesNotContain("secret-of");
    }
}
