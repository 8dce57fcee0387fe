package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where something is missing that was there at the start, or was never there. */
@Timeout(90)
final class LackTest {
    private static final long LONG = TimeUnit.MINUTES.toNanos(1);

    @TempDir
    private Path folder;

    private final List<SupervisorEvent> events = new CopyOnWriteArrayList<>();

    private void run(Path binary, RawCommand command) throws Exception {
        var spec = new LaunchSpec(binary, command, Map.of(), SignalRelay.TERM, Inherited.NOTHING);
        try (Supervisor supervisor = Supervisor.launch(spec, System::nanoTime, events::add)) {
            long now = System.nanoTime();
            supervisor.lease(now, now + LONG, now + LONG);
            supervisor.start();
            Await.until("its end", () -> events.stream().anyMatch(event -> event instanceof SupervisorEvent.Gone));
        }
    }

    @Test
    void aProgramThatIsHeldRunsThoughItWasDeleted() throws Exception {
        Path file = Files.copy(TestFolder.binary(), folder.resolve("program"), StandardCopyOption.COPY_ATTRIBUTES);
        try (HeldProgram held = HeldProgram.of(file)) {
            Files.delete(file);

            run(held.path(), RawCommand.of("sh", "-c", "exit 6"));

            assertThat(events).contains(new SupervisorEvent.Exited(6));
        }
    }

    @Test
    void aProgramThatIsHeldIsTheOneThatWasThere() throws Exception {
        Path file = Files.copy(TestFolder.binary(), folder.resolve("program"), StandardCopyOption.COPY_ATTRIBUTES);
        try (HeldProgram held = HeldProgram.of(file)) {
            Files.copy(Path.of("/bin/false"), folder.resolve("new"), StandardCopyOption.COPY_ATTRIBUTES);
            Files.move(folder.resolve("new"), file, StandardCopyOption.ATOMIC_MOVE);

            run(held.path(), RawCommand.of("sh", "-c", "exit 6"));

            assertThat(events).contains(new SupervisorEvent.Exited(6));
        }
    }

    @Test
    void aSupervisorThatIsHeldIsCalledAsEveryOther() throws Exception {
        Path file = Files.copy(TestFolder.binary(), folder.resolve("program"), StandardCopyOption.COPY_ATTRIBUTES);
        Path seen = folder.resolve("seen");
        try (HeldProgram held = HeldProgram.of(file)) {
            run(
                    held.path(),
                    RawCommand.of(
                            "sh", "-c", "cat /proc/$PPID/comm > " + seen + "; cat /proc/$PPID/cmdline >> " + seen));
        }

        String[] lines = Files.readString(seen).split("\n", 2);
        assertThat(lines[0]).isEqualTo("incumbent-super");
        assertThat(lines[1].replaceAll("\0*$", "")).isEqualTo("incumbent-supervisor");
    }

    @Test
    void aSocketIsMadeWhereAFolderCanStillBeMade() throws Exception {
        Path missing = folder.resolve("missing");

        Path made = SupervisorProcess.socketFolder(List.of(missing, folder));

        assertThat(made).isDirectory().hasParent(folder);
        assertThat(SupervisorProcess.socketParents()).contains(Path.of("/tmp"), Path.of("/dev/shm"));
    }

    @Test
    void noFolderForASocketIsToldWithEachThatWasTried() {
        Path one = folder.resolve("one");
        Path other = folder.resolve("x".repeat(100));

        assertThatThrownBy(() -> SupervisorProcess.socketFolder(List.of(one, Files.createDirectory(other))))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("no folder for a socket", one.toString(), other + " is too long a path");
    }

    @Test
    void moreArgumentsThanMessagesReachTheCommand() throws Exception {
        int many = 130_000;
        List<String> words =
                new java.util.ArrayList<>(List.of("sh", "-c", "[ $# = " + many + " ] && [ $1$2 = xx ]", "sh"));
        words.addAll(Collections.nCopies(many, "x"));

        run(TestFolder.binary(), RawCommand.of(words.toArray(String[]::new)));

        assertThat(events).contains(new SupervisorEvent.Exited(0));
    }

    @Test
    void aLackOfDescriptorsIsToldAsSuch() throws Exception {
        int tooManyOpenFiles = 24;
        try (BareSupervisor supervisor = BareSupervisor.in(folder)) {
            Process limit = new ProcessBuilder(
                            "prlimit", "--pid", "" + supervisor.entry().pid(), "--nofile=6:6")
                    .start();
            assertThat(limit.waitFor()).isZero();

            supervisor.start(60_000, "true");

            assertThat(supervisor.toTheEnd()).containsExactly("noexec " + tooManyOpenFiles, "gone noexec");
        }
    }
}
