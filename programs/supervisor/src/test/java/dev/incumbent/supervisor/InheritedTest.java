package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a command takes over from whoever started the wrapper: open files, sockets, locks, blocked signals. */
@Tag("field")
final class InheritedTest {
    /** Becomes the wrapper as a service manager would start it: with a socket that listens, named in the environment. */
    private static final String SOCKET_ACTIVATION = """
            exec python3 -c '
            import os, socket, sys
            listening = socket.create_server(("127.0.0.1", 0))
            os.dup2(listening.fileno(), 3)
            os.set_inheritable(3, True)
            os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1", LISTEN_FDNAMES="web", LISTEN_PIDFDID="4711")
            os.execvp(sys.argv[1], sys.argv[1:])' "$@"
            """;

    /** The same as that, as a library of systemd's would receive it. */
    private static final String RECEIVES = """
            import os, socket
            assert os.environ["LISTEN_PID"] == str(os.getpid()), os.environ["LISTEN_PID"]
            assert "LISTEN_PIDFDID" not in os.environ
            listens = socket.socket(fileno=3).getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
            print(os.environ["LISTEN_FDS"], os.environ["LISTEN_FDNAMES"], listens)
            """;

    @TempDir
    private Path folder;

    @Test
    void aSubstitutedProcessCanBeRead() throws Exception {
        try (var run = WrapperProcess.startBy("exec \"$@\" <(echo x)", "cat")) {
            assertThat(run.exitCode()).isZero();
            assertThat(run.output()).isEqualTo("x\n");
        }
    }

    @Test
    void aSubstitutedProcessCanBeWrittenAndHearsTheEnd() throws Exception {
        Path copy = folder.resolve("copy");
        String line = "exec \"$@\" 5> >(cat > " + copy + ".new; mv " + copy + ".new " + copy + ")";
        try (var run = WrapperProcess.startBy(line, "sh", "-c", "echo x >&5")) {
            assertThat(run.exitCode()).isZero();
            Await.until("the copy", () -> Files.exists(copy));
            assertThat(copy).hasContent("x\n");
        }
    }

    @Test
    void standardInputAndAllDescriptorsAreWhatTheyWereAndNoneIsOurs() throws Exception {
        Path input = Files.writeString(folder.resolve("input"), "read\n");
        Path third = Files.createFile(folder.resolve("third"));
        Path tenth = Files.createFile(folder.resolve("tenth"));
        String line = "exec 10>> " + tenth + "; exec < " + input + " 3< " + third + "; exec \"$@\"";
        String script = "cat; echo written >&10; readlink /proc/self/fd/3; ls /proc/self/fd";
        try (var run = WrapperProcess.startBy(line, "bash", "-c", script)) {
            assertThat(run.exitCode()).isZero();

            String theOneThatLsOpens = "4";
            assertThat(run.output().lines())
                    .containsExactly("read", third.toString(), "0", "1", "10", "2", "3", theOneThatLsOpens);
            assertThat(tenth).hasContent("written\n");
        }
    }

    @Test
    void withoutDescriptorsAboveTwoThereAreNone() throws Exception {
        try (var run = WrapperProcess.startBy("exec \"$@\" < /dev/null", "ls", "/proc/self/fd")) {
            assertThat(run.exitCode()).isZero();
            assertThat(run.output().lines()).containsExactly("0", "1", "2", "3");
        }
    }

    @Test
    void aLockThatTheCallerHoldsIsTheCommands() throws Exception {
        Path lock = folder.resolve("lock");
        String script = "flock -n 9 && echo mine; flock -n \"$0\" true || echo taken";
        try (var run = WrapperProcess.startBy(
                "exec 9> " + lock + "; flock 9; exec \"$@\"", "sh", "-c", script, lock.toString())) {
            assertThat(run.exitCode()).isZero();
            assertThat(run.output()).isEqualTo("mine\ntaken\n");
        }
    }

    @Test
    void moreDescriptorsThanOneMessageCarriesAreToldAndNotPassedOn() throws Exception {
        String line = "for ((i = 300; i < 553; i++)); do eval \"exec $i< /dev/null\"; done; exec \"$@\"";
        try (var run = WrapperProcess.startBy(line, "sh", "-c", "test ! -e /proc/self/fd/300")) {
            assertThat(run.exitCode()).isZero();
            assertThat(run.output())
                    .isEqualTo("incumbent: the command gets no open files but its input, output and error: "
                            + "more than 252 others are open\n");
        }
    }

    @Test
    void asManyDescriptorsAsOneMessageCarriesArePassedOn() throws Exception {
        String line = "for ((i = 300; i < 552; i++)); do eval \"exec $i< /dev/null\"; done; exec \"$@\"";
        try (var run = WrapperProcess.startBy(line, "sh", "-c", "test -e /proc/self/fd/300 -a -e /proc/self/fd/551")) {
            assertThat(run.exitCode()).isZero();
            assertThat(run.output()).isEmpty();
        }
    }

    @Test
    void aKernelThatCountsTooManyFilesInMessagesIsToldAndNoneIsPassedOn() throws Exception {
        String kernel = String.join(" ", PretendedKernel.in(folder, PretendedKernel.FULL_OF_MESSAGES));
        try (var run = WrapperProcess.startBy(
                "exec 3< /dev/null; exec " + kernel + " \"$@\"", "sh", "-c", "test ! -e /proc/self/fd/3")) {
            assertThat(run.exitCode()).isZero();
            assertThat(run.output())
                    .isEqualTo("incumbent: the command gets no open files but its input, output and error: "
                            + "too many files of this user are in messages between processes\n");
        }
    }

    @Test
    void socketsThatWereGivenToTheWrapperAreTheCommands() throws Exception {
        try (var run = WrapperProcess.startBy(SOCKET_ACTIVATION, "python3", "-c", RECEIVES)) {
            assertThat(run.output()).isEqualTo("1 web 1\n");
            assertThat(run.exitCode()).isZero();
        }
    }

    @Test
    void whereSocketsCannotBePassedOnNobodyLooksForThem() throws Exception {
        String given = "export LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=web LISTEN_PIDFDID=4711";
        try (var run = WrapperProcess.startAfter(given, List.of(), "sh", "-c", "env | grep LISTEN_")) {
            assertThat(run.exitCode()).isOne();
            assertThat(run.output()).isEmpty();
        }
    }

    @Test
    void socketsOfAnotherProcessStayThatProcesss() throws Exception {
        String given = "export LISTEN_PID=1 LISTEN_FDS=1";
        try (var run = WrapperProcess.startAfter(given, List.of(), "sh", "-c", "echo $LISTEN_PID $LISTEN_FDS")) {
            assertThat(run.exitCode()).isZero();
            assertThat(run.output()).isEqualTo("1 1\n");
        }
    }

    @Test
    void blockedSignalsStayBlockedAndTheWrapperHearsThemNevertheless() throws Exception {
        String line = "exec python3 -c 'import os, signal, sys; "
                + "signal.pthread_sigmask(signal.SIG_SETMASK, [signal.SIGUSR1, signal.SIGTERM]); "
                + "os.execvp(sys.argv[1], sys.argv[1:])' \"$@\"";
        String script = "import signal, time; "
                + "print(sorted(s.name for s in signal.pthread_sigmask(signal.SIG_BLOCK, [])), flush=True); time.sleep(600)";
        try (var run = WrapperProcess.startBy(line, "python3", "-c", script)) {
            assertThat(run.nextLine()).isEqualTo("['SIGTERM', 'SIGUSR1']");

            run.signal("TERM");
            run.signal("TERM");

            assertThat(run.exitCode()).isEqualTo(137);
        }
    }

    @Test
    void aCommandWithDescriptorsDiesWithItsWrapper() throws Exception {
        try (var run = WrapperProcess.startBy("exec 3< /dev/null; exec \"$@\"", AwkwardTree.command())) {
            run.awaitStarted(AwkwardTree.NAME, AwkwardTree.SIZE);

            WrapperProcess.signal(run.wrapper(), "KILL");

            run.awaitNothingLeft();
        }
    }
}
