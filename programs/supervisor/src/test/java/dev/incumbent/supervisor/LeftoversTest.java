package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is asked to end before it is killed, and that each is asked once. */
@Timeout(90)
final class LeftoversTest {
    private static final int LONG = 60_000;

    /** Tells each TERM in a file of its own, and goes on. */
    private static final String DEAF = "trap 'echo term >> heard-$1' TERM; touch up-$1; while :; do sleep 0.1; done";

    @TempDir
    private Path folder;

    private BareSupervisor supervisor;

    @BeforeEach
    void begin() throws Exception {
        Files.writeString(folder.resolve("deaf"), DEAF);
        supervisor = BareSupervisor.in(folder);
    }

    @AfterEach
    void end() throws Exception {
        supervisor.close();
    }

    private void awaitFile(String name) {
        Await.until("file " + name, () -> Files.exists(folder.resolve(name)));
    }

    private List<String> heardBy(String name) throws Exception {
        return Files.readAllLines(folder.resolve("heard-" + name));
    }

    private static String awaitUp(String... names) {
        return "for name in " + String.join(" ", names) + "; do while [ ! -e up-$name ]; do sleep 0.02; done; done\n";
    }

    /** Each link but the last dies at once when it is asked. */
    @ParameterizedTest
    @ValueSource(ints = {2, 5})
    void everyLinkOfAChainIsAsked(int depth) throws Exception {
        int chains = 20;
        String[] ends = IntStream.range(0, chains).mapToObj(i -> "" + i).toArray(String[]::new);
        Files.writeString(folder.resolve("link"), """
                [ "$2" -gt 1 ] || exec sh deaf $1
                setsid sh link $1 $(($2 - 1)) &
                wait
                """);
        String script = "for i in " + String.join(" ", ends) + "; do setsid sh link $i " + depth + " & done\n"
                + awaitUp(ends) + "exit 0";

        supervisor.start(LONG, "sh", "-c", script);

        assertThat(supervisor.toTheEnd()).containsExactly("started", "exited 0", "gone self");
        for (String end : ends) {
            assertThat(heardBy(end)).as("the end of chain " + end).containsExactly("term");
        }
    }

    @Test
    void whoIsStartedByALeftoverThatEndsIsAskedInItsTurnWithAllBelow() throws Exception {
        Files.writeString(folder.resolve("late"), "setsid sh deaf below & exec sh deaf late");
        Files.writeString(
                folder.resolve("early"),
                "trap 'setsid sh late & " + awaitUp("late", "below").strip()
                        + "; exit' TERM; touch up-early; while :; do sleep 0.02; done");

        supervisor.start(LONG, "sh", "-c", "setsid sh early &\n" + awaitUp("early") + "exit 0");

        assertThat(supervisor.toTheEnd()).containsExactly("started", "exited 0", "gone self");
        assertThat(heardBy("late")).containsExactly("term");
        assertThat(heardBy("below")).containsExactly("term");
    }

    @Test
    void whatALeftoverNeedsInOrderToEndIsLeftInPeace() throws Exception {
        String script = "setsid sh -c 'trap \"sleep 0.3 && touch cleaned; exit\" TERM; "
                + "touch up-tidy; while :; do sleep 0.02; done' &\n" + awaitUp("tidy") + "exit 0";

        supervisor.start(LONG, "sh", "-c", script);

        assertThat(supervisor.toTheEnd()).containsExactly("started", "exited 0", "gone self");
        assertThat(folder.resolve("cleaned")).exists();
    }

    @Test
    void aChildOfAnyThreadIsAsked() throws Exception {
        Files.writeString(folder.resolve("threads.py"), """
                import signal, subprocess, threading, time
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                reset = lambda: signal.signal(signal.SIGTERM, signal.SIG_DFL)
                begin = lambda: subprocess.Popen(['sh', 'deaf', 'thread'], start_new_session=True, preexec_fn=reset).wait()
                threading.Thread(target=begin).start()
                time.sleep(1000)
                """);
        supervisor.start(LONG, "sh", "-c", "setsid python3 threads.py &\n" + awaitUp("thread") + "exit 0");

        assertThat(supervisor.toTheEnd()).containsExactly("started", "exited 0", "gone self");
        assertThat(heardBy("thread")).containsExactly("term");
    }

    @Test
    void aSleepingLeftoverIsWokenToHearIt() throws Exception {
        String script = "setsid sh deaf sleeper & sleeper=$!\n" + awaitUp("sleeper") + "kill -STOP $sleeper; exit 0";

        supervisor.start(LONG, "sh", "-c", script);

        assertThat(supervisor.toTheEnd()).containsExactly("started", "exited 0", "gone self");
        assertThat(heardBy("sleeper")).containsExactly("term");
    }

    @Test
    void whoHadTheTermOfAStopIsNotAskedAgain() throws Exception {
        String script = "sh deaf inside & setsid sh deaf outside &\n" + awaitUp("inside", "outside")
                + "trap 'while [ ! -e heard-inside ]; do sleep 0.02; done; exit 5' TERM; touch ready; "
                + "while :; do sleep 0.02; done"; // a second TERM before the first was heard would be one with it
        supervisor.start(LONG, "sh", "-c", script);
        awaitFile("ready");

        supervisor.say("stop 15 " + supervisor.bootTime(LONG));

        assertThat(supervisor.toTheEnd()).containsExactly("started", "exited 5", "gone asked");
        assertThat(heardBy("inside")).containsExactly("term");
        assertThat(heardBy("outside")).containsExactly("term");
    }

    @Test
    void whoHadAnotherStopSignalIsAskedByTerm() throws Exception {
        String script = "(trap '' USR1; exec sh deaf inside) &\n" + awaitUp("inside")
                + "trap 'exit 5' USR1; touch ready; while :; do sleep 0.02; done";
        supervisor.start(LONG, "sh", "-c", script);
        awaitFile("ready");

        supervisor.say("stop 10 " + supervisor.bootTime(LONG));

        assertThat(supervisor.toTheEnd()).containsExactly("started", "exited 5", "gone asked");
        assertThat(heardBy("inside")).containsExactly("term");
    }

    /** Ends a while after it was asked, and sooner than it would be killed. */
    private static final String SLOW = "setsid sh -c 'trap \"touch asked; sleep 0.9; touch done; exit\" TERM; "
            + "touch up-slow; while :; do sleep 0.02; done' &\n";

    @ParameterizedTest
    @ValueSource(strings = {"kill", "nonsense", ""})
    void whatEndsAllAtOnceDoesNotWaitForLeftovers(String order) throws Exception {
        supervisor.start(LONG, "sh", "-c", SLOW + awaitUp("slow") + "exit 4");
        awaitFile("asked");

        if (order.isEmpty()) {
            supervisor.hangUp();
        } else {
            supervisor.say(order);
        }

        assertThat(supervisor.toTheEnd()).containsExactly("started", "exited 4", "gone self");
        assertThat(folder.resolve("done")).doesNotExist();
    }

    @Test
    @Tag("realtime")
    void leftoversHaveNoMoreTimeThanTheStopLeavesThem() throws Exception {
        supervisor.start(LONG, "sh", "-c", SLOW + awaitUp("slow") + "touch ready; exec sleep 1000");
        awaitFile("ready");
        supervisor.say("awake");
        String awake = supervisor.next();
        while (!awake.startsWith("awake ")) {
            awake = supervisor.next();
        }

        supervisor.say("stop 10 " + (Long.parseLong(awake.substring("awake ".length())) + 200_000_000));

        assertThat(supervisor.toTheEnd()).containsExactly("signaled 10", "gone asked");
        assertThat(folder.resolve("done")).doesNotExist();
    }

    /** The tracer is no descendant, and never looks. */
    @Test
    void aZombieThatIsTracedIsNoReasonToStay() throws Exception {
        supervisor.start(LONG, "python3", "-c", """
                import ctypes, time
                ctypes.CDLL(None).prctl(0x59616d61, ctypes.c_ulong(-1), 0, 0, 0) # any may trace it
                open('up-traced', 'w').close()
                time.sleep(1000)""");
        awaitFile("up-traced");
        supervisor.nextWord(); // of the lease
        long pid = Long.parseLong(supervisor.next().substring("forked ".length()));
        Process tracer = new ProcessBuilder("python3", "-c", """
                import ctypes, sys, time
                sys.exit(1) if ctypes.CDLL(None).ptrace(0x4206, int(sys.argv[1]), 0, 0) else print('traces', flush=True)
                time.sleep(1000)""", "" + pid)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(tracer.inputReader().readLine()).isEqualTo("traces");

            supervisor.say("kill");

            assertThat(supervisor.toTheEnd()).containsExactly("started", "signaled 9", "gone killed");
            assertThat(new ProcessEntry(pid).isAlive()).isFalse();
        } finally {
            tracer.destroyForcibly().waitFor();
        }
    }

    /** Its first thread alone has ended: it is shown as a zombie, and is none. */
    @Test
    void aProcessWhoseFirstThreadHasEndedIsWaitedFor() throws Exception {
        String script = HeadlessProcess.in(folder) + " & while [ ! -e headless ]; do sleep 0.02; done; exit 0";

        supervisor.start(LONG, "sh", "-c", script);

        assertThat(supervisor.toTheEnd()).containsExactly("started", "exited 0", "gone self");
        assertThat(supervisor.started()).isEmpty();
        assertThat(folder.resolve("headless-goes-on")).exists();
    }
}
