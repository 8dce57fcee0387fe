package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.supervisor.SupervisorEvent.Cause;
import dev.incumbent.supervisor.SupervisorEvent.Died;
import dev.incumbent.supervisor.SupervisorEvent.Exited;
import dev.incumbent.supervisor.SupervisorEvent.Gone;
import dev.incumbent.supervisor.SupervisorEvent.NotExecuted;
import dev.incumbent.supervisor.SupervisorEvent.Refused;
import dev.incumbent.supervisor.SupervisorEvent.Signaled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SupervisedCommandTest {
    /** Far longer than any test waits: what ends only with its lease ends too late. */
    private static final long LONG = 60_000;

    @TempDir
    private Path folder;

    private final List<SupervisorEvent> events = new CopyOnWriteArrayList<>();
    private final List<Supervisor> launched = new CopyOnWriteArrayList<>();

    @AfterEach
    void closeAll() {
        launched.forEach(Supervisor::close);
    }

    private Supervisor launch(RawCommand command, Map<String, String> environment)
            throws SupervisorUnavailableException {
        var spec = new LaunchSpec(TestFolder.binary(), command, environment, SignalRelay.TERM, Inherited.NOTHING);
        Supervisor supervisor = Supervisor.launch(spec, System::nanoTime, events::add);
        launched.add(supervisor);
        return supervisor;
    }

    private Supervisor start(String... command) throws SupervisorUnavailableException {
        Supervisor supervisor = launch(RawCommand.of(command), Map.of());
        lease(supervisor, LONG, LONG);
        supervisor.start();
        return supervisor;
    }

    private static void lease(Supervisor supervisor, long stopInMillis, long killInMillis) {
        long now = System.nanoTime();
        assertThat(supervisor.lease(now, now + millis(stopInMillis), now + millis(killInMillis)))
                .isTrue();
    }

    private static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private void awaitLast(SupervisorEvent last) {
        Await.until("an end, after " + events, () -> !events.isEmpty() && isLast(events.get(events.size() - 1)));
        assertThat(events).last().isEqualTo(last);
    }

    private static boolean isLast(SupervisorEvent event) {
        return event instanceof Gone || event instanceof Died;
    }

    /** The last event comes so many milliseconds after that time, and less than as many later. */
    private void awaitLastAt(long since, long due, SupervisorEvent last) {
        Await.punctually(since, Duration.ofMillis(due), () -> {
            awaitLast(last);
            return last;
        });
    }

    private void awaitFile(String name) {
        Await.until("file " + name, () -> Files.exists(folder.resolve(name)));
    }

    private String contentOf(String name) throws IOException {
        return Files.readString(folder.resolve(name), StandardCharsets.ISO_8859_1);
    }

    /** The supervisor itself carries the mark too, and ends just after its last word. */
    private static void awaitNobodyCarries(Supervisor supervisor) {
        Await.until("nobody with the mark", () -> countOf(supervisor) == 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 63, 64, 126, 127, 128, 143, 255})
    void aCommandThatReturnsIsToldWithItsCode(int code) throws Exception {
        start("sh", "-c", "exit " + code);

        awaitLast(new Gone(Cause.SELF));
        assertThat(events).contains(new Exited(code));
    }

    @Test
    void aCommandKilledBySignalIsToldWithTheSignal() throws Exception {
        start("sh", "-c", "kill -USR1 $$");

        awaitLast(new Gone(Cause.SELF));
        assertThat(events).contains(new Signaled(10));
    }

    @Test
    void aMissingCommandIsToldAsNoEntry() throws Exception {
        start("no-such-command");

        awaitLast(new Gone(Cause.NOEXEC));
        assertThat(events).contains(new NotExecuted(2));
    }

    @Test
    void aFolderAndAFileWithoutPermissionAreToldAsNoAccess() throws Exception {
        start(folder.toString());

        awaitLast(new Gone(Cause.NOEXEC));
        assertThat(events).contains(new NotExecuted(13));

        events.clear();
        start(Files.createFile(folder.resolve("plain")).toString());

        awaitLast(new Gone(Cause.NOEXEC));
        assertThat(events).contains(new NotExecuted(13));
    }

    @Test
    void aPathBelowAFileIsToldAsNoFolder() throws Exception {
        start(Files.createFile(folder.resolve("plain")) + "/command");

        awaitLast(new Gone(Cause.NOEXEC));
        assertThat(events).contains(new NotExecuted(20));
    }

    @Test
    void aScriptWithoutInterpreterLineIsRunByTheShell() throws Exception {
        Path script = Files.writeString(folder.resolve("script"), "printf '%s,' \"$@\" > \"$0.out\"; exit 9\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));

        start(script.toString(), "a b", "", "c");

        awaitLast(new Gone(Cause.SELF));
        assertThat(events).contains(new Exited(9));
        assertThat(contentOf("script.out")).isEqualTo("a b,,c,");
    }

    @Test
    void onlyTheThreeStandardDescriptorsReachTheCommandOfAJvmThatNobodyStartedForIt() throws Exception {
        String withMore = "exec 3</dev/null 7</dev/null";
        try (var run = WrapperProcess.startAfter(withMore, List.of(), "ls", "/proc/self/fd")) {
            assertThat(run.exitCode()).isZero();

            String theOneThatLsOpens = "3";
            assertThat(run.output().lines()).containsExactly("0", "1", "2", theOneThatLsOpens);
        }
    }

    @Test
    void theCommandHasOurVariablesInPlaceOfInheritedOnes() throws Exception {
        Supervisor supervisor =
                launch(RawCommand.of("sh", "-c", "env > " + folder + "/environment"), Map.of("INCUMBENT_TOKEN", "7"));
        lease(supervisor, LONG, LONG);
        supervisor.start();

        awaitLast(new Gone(Cause.SELF));
        assertThat(contentOf("environment").lines().filter(line -> line.startsWith("INCUMBENT_")))
                .containsExactlyInAnyOrder("INCUMBENT_TOKEN=7", "INCUMBENT_RUN_ID=" + supervisor.runId());
        assertThat(contentOf("environment")).contains("PATH=");
    }

    @Test
    void aStartAfterStopAtIsRefusedUntilALeaseAllowsIt() throws Exception {
        Supervisor supervisor = launch(RawCommand.of("true"), Map.of());
        lease(supervisor, -1, LONG);
        supervisor.start();
        Await.until("a refusal", () -> events.contains(new Refused()));

        lease(supervisor, LONG, LONG);
        supervisor.start();

        awaitLast(new Gone(Cause.SELF));
        assertThat(events).contains(new Exited(0));
    }

    @Test
    void aStartWithoutALeaseIsRefused() throws Exception {
        launch(RawCommand.of("true"), Map.of()).start();

        Await.until("a refusal", () -> events.equals(List.of(new Refused())));
    }

    @Test
    void aLeaseAskedForBeforeTheLaunchIsNotVouchedFor() throws Exception {
        long sentAt = System.nanoTime();
        Supervisor supervisor = launch(RawCommand.of("true"), Map.of());

        assertThat(supervisor.lease(sentAt, sentAt + millis(10_000), sentAt + millis(10_000)))
                .isFalse();
    }

    @Test
    @Tag("realtime")
    void aCommandIsAskedToEndAtStopAt() throws Exception {
        Supervisor supervisor = start("sleep", "1000");

        long begun = System.nanoTime();
        lease(supervisor, 1_000, LONG);

        awaitLastAt(begun, 1_000, new Gone(Cause.DEADLINE));
        assertThat(events).contains(new Signaled(15));
    }

    @Test
    @Tag("realtime")
    void aCommandThatDoesNotListenIsKilledAtKillAt() throws Exception {
        Supervisor supervisor = start(
                "sh",
                "-c",
                "trap 'touch " + folder + "/asked' TERM; touch " + folder + "/up; while :; do sleep 0.02; done");
        awaitFile("up");

        long begun = System.nanoTime();
        lease(supervisor, 100, 1_000);

        awaitLastAt(begun, 1_000, new Gone(Cause.DEADLINE));
        assertThat(events).contains(new Signaled(9));
        awaitFile("asked");
        awaitNobodyCarries(supervisor);
    }

    @Test
    @Tag("realtime")
    void aRenewalAfterStopAtIsNone() throws Exception {
        Supervisor supervisor = start(
                "sh",
                "-c",
                "trap 'touch " + folder + "/asked' TERM; touch " + folder + "/up; while :; do sleep 0.02; done");
        awaitFile("up");
        long begun = System.nanoTime();
        lease(supervisor, 50, 1_000);
        awaitFile("asked");

        lease(supervisor, 60_000, 60_000);

        awaitLastAt(begun, 1_000, new Gone(Cause.DEADLINE));
    }

    @Test
    @Tag("realtime")
    void aRenewalKeepsTheCommandAlive() throws Exception {
        Supervisor supervisor = start("sh", "-c", "sleep 0.6; exit 3");
        lease(supervisor, 300, 400);
        lease(supervisor, LONG, LONG);

        awaitLast(new Gone(Cause.SELF));

        assertThat(events).contains(new Exited(3));
    }

    @Test
    void whatACommandLeavesBehindIsAskedToEndAndOnlyThenKilled() throws Exception {
        Supervisor supervisor = start("sh", "-c", """
                setsid sh -c 'trap "touch %1$s/asked; exit" TERM; touch %1$s/polite; while :; do sleep 0.02; done' &
                setsid sh -c 'trap "" TERM; touch %1$s/stubborn; while :; do sleep 0.02; done' &
                while [ ! -e %1$s/polite ] || [ ! -e %1$s/stubborn ]; do sleep 0.02; done
                exit 4
                """.formatted(folder));

        awaitLast(new Gone(Cause.SELF));
        assertThat(events).contains(new Exited(4));
        awaitFile("asked");
        awaitNobodyCarries(supervisor);
    }

    @Test
    @Tag("realtime")
    void aStopEndsTheCommandByItsSignalAndAllElseByItsKillAt() throws Exception {
        Supervisor supervisor = start(AwkwardTree.stubbornCommand());
        Await.until("the tree", () -> countOf(supervisor) == AwkwardTree.SIZE + 1);

        long begun = System.nanoTime();
        supervisor.stop(SignalRelay.TERM, begun + millis(1_000));

        awaitLastAt(begun, 1_000, new Gone(Cause.ASKED));
        assertThat(events).contains(new Signaled(9));
        awaitNobodyCarries(supervisor);
    }

    @Test
    void aKillEndsAllAtOnce() throws Exception {
        Supervisor supervisor = start(AwkwardTree.stubbornCommand());
        Await.until("the tree", () -> countOf(supervisor) == AwkwardTree.SIZE + 1);

        supervisor.kill();

        awaitLast(new Gone(Cause.KILLED));
        awaitNobodyCarries(supervisor);
    }

    @Test
    void aClosedSupervisorHasEndedItsCommandAndTellsNothing() throws Exception {
        Supervisor supervisor = start(AwkwardTree.stubbornCommand());
        Await.until("the tree", () -> countOf(supervisor) == AwkwardTree.SIZE + 1);

        supervisor.close();

        awaitNobodyCarries(supervisor);
        assertThat(events).noneMatch(SupervisedCommandTest::isLast);
    }

    @Test
    void aListenerThatThrowsEndsTheCommand() throws Exception {
        var spec = new LaunchSpec(
                TestFolder.binary(), RawCommand.of(AwkwardTree.command()), Map.of(), 15, Inherited.NOTHING);
        Supervisor supervisor = Supervisor.launch(spec, System::nanoTime, event -> {
            events.add(event);
            if (event instanceof SupervisorEvent.Started) {
                throw new IllegalStateException("a listener's own fault, meant by this test");
            }
        });
        launched.add(supervisor);
        lease(supervisor, LONG, LONG);
        supervisor.start();

        awaitLast(new Died(false));
        awaitNobodyCarries(supervisor);
    }

    @Test
    void aRefusedStartIsNoneSoThatTheSupervisorIsNotTakenForFrozen() throws Exception {
        Supervisor supervisor = launch(RawCommand.of("true"), Map.of());
        lease(supervisor, -1, 0);
        supervisor.start();
        Await.until("a refusal", () -> events.contains(new Refused()));

        assertThat(supervisor.isStartSent()).isFalse();
        assertThat(Await.holdsFor(Duration.ofMillis(300), () -> events.equals(List.of(new Refused()))))
                .isTrue();
    }

    @Test
    void aListenerMayCloseItsSupervisor() throws Exception {
        var spec = new LaunchSpec(TestFolder.binary(), RawCommand.of("true"), Map.of(), 15, Inherited.NOTHING);
        CompletableFuture<Supervisor> self = new CompletableFuture<>();
        Supervisor supervisor = Supervisor.launch(spec, System::nanoTime, event -> {
            self.join().close();
            events.add(event);
        });
        self.complete(supervisor);
        lease(supervisor, LONG, LONG);
        supervisor.start();

        Await.until("an event after a close", () -> !events.isEmpty());
        awaitNobodyCarries(supervisor);
    }

    @Test
    void anInterruptedThreadMaySpeakToItsSupervisor() throws Exception {
        Supervisor supervisor = start("sh", "-c", "sleep 0.3; exit 2");

        Thread.currentThread().interrupt();
        lease(supervisor, LONG, LONG);
        assertThat(Thread.interrupted()).isTrue();

        awaitLast(new Gone(Cause.SELF));
        assertThat(events).contains(new Exited(2));
    }

    @Test
    void aProgramThatIsNoneIsTold() {
        var spec = new LaunchSpec(
                folder.resolve("none"), RawCommand.of("true"), Map.of(), SignalRelay.TERM, Inherited.NOTHING);

        assertThatThrownBy(() -> Supervisor.launch(spec, System::nanoTime, events::add))
                .isInstanceOf(SupervisorUnavailableException.class)
                .hasMessageContaining(folder.resolve("none").toString());
    }

    @Test
    void aProgramThatEndsAtOnceIsTold() {
        var spec = new LaunchSpec(
                Path.of("/bin/true"), RawCommand.of("true"), Map.of(), SignalRelay.TERM, Inherited.NOTHING);

        assertThatThrownBy(() -> Supervisor.launch(spec, System::nanoTime, events::add))
                .isInstanceOf(SupervisorUnavailableException.class)
                .hasMessageContaining("/bin/true");
    }

    @Test
    void whileNothingHappensNothingIsTold() throws Exception {
        start("sleep", "1000");
        Await.until("a start", () -> events.contains(new SupervisorEvent.Started()));
        int before = events.size();

        assertThat(Await.holdsFor(Duration.ofMillis(300), () -> events.size() == before))
                .isTrue();
    }

    private static long countOf(Supervisor supervisor) {
        RunMark mark = new RunMark(supervisor.runId());
        return ProcessEntry.allFrom(1).stream()
                .filter(process -> mark.isIn(process.environment()))
                .count();
    }
}
