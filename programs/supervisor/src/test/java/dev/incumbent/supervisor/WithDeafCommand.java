package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests with one command that hears signals and goes on, each under a supervisor of its own. */
abstract class WithDeafCommand {
    static final int LONG = 60_000;

    /** The end that a test waits for: one that comes as late again has failed. */
    static final Duration SECOND = Duration.ofSeconds(1);

    /** Tells each TERM and USR1 in a file, and goes on. */
    private static final String DEAF = """
            trap 'echo term >> heard' TERM; trap 'echo usr1 >> heard' USR1
            : > heard; touch up; while :; do sleep 0.02; done""";

    /** The same without a child, as one that is stopped between vfork and exec cannot be told to have stopped. */
    static final String DEAF_AND_ALONE = """
            import signal, time
            def heard(word): return lambda *_: open('heard', 'a').write(word + '\\n')
            signal.signal(signal.SIGTERM, heard('term')); signal.signal(signal.SIGUSR1, heard('usr1'))
            open('heard', 'w').close(); open('up', 'w').close()
            while True: time.sleep(1)""";

    @TempDir
    Path folder;

    BareSupervisor supervisor;

    @BeforeEach
    void begin() throws Exception {
        supervisor = BareSupervisor.in(folder);
    }

    @AfterEach
    void end() throws Exception {
        supervisor.close();
    }

    final void startDeafCommand() throws Exception {
        awaitStart("sh", "-c", DEAF);
    }

    final void startAndPause() throws Exception {
        awaitStart("python3", "-c", DEAF_AND_ALONE);
        supervisor.say("sig 19");
        assertThat(supervisor.next()).isEqualTo("stopped 19");
    }

    final void awaitStart(String... command) throws Exception {
        supervisor.start(LONG, command);
        awaitFile("up");
        assertThat(supervisor.nextWord()).isEqualTo("ack");
        assertThat(supervisor.nextWord()).isEqualTo("forked");
        assertThat(supervisor.next()).isEqualTo("started");
    }

    final void awaitFile(String name) {
        Await.until("file " + name, () -> Files.exists(folder.resolve(name)));
    }

    final void awaitHeard(String... lines) {
        Await.until("the command to hear " + List.of(lines), () -> heard().equals(List.of(lines)));
    }

    final List<String> heard() {
        try {
            return Files.readAllLines(folder.resolve("heard"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    final long now() throws Exception {
        supervisor.say("awake");
        String answer = supervisor.next();
        assertThat(answer).matches("awake \\d+");
        return Long.parseLong(answer.substring("awake ".length()));
    }

    final String killInMillis(int signal, long millis) throws Exception {
        return "stop " + signal + " " + (now() + millis * 1_000_000);
    }
}
