package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A control group of the command's own, where this machine lets us make one; where not, that is what is tested. */
@Timeout(90)
final class CgroupTest {
    private static final int LONG = 60_000;

    @TempDir
    private Path folder;

    private Path made(BareSupervisor supervisor) throws Exception {
        supervisor.say("cgroup auto");
        String answer = supervisor.next();
        assumeTrue(answer.startsWith("cgroup /"), "no control group can be made here: " + answer);
        return Path.of(answer.substring("cgroup ".length()));
    }

    @Test
    void theCommandIsInItAndItIsRemovedInTheEnd() throws Exception {
        try (BareSupervisor supervisor = BareSupervisor.in(folder)) {
            Path cgroup = made(supervisor);

            supervisor.start(LONG, "sh", "-c", "grep ^0:: /proc/self/cgroup > seen; exit 3");

            assertThat(supervisor.toTheEnd()).containsExactly("started", "exited 3", "gone self");
            assertThat(Files.readString(folder.resolve("seen")).strip()).endsWith("/" + cgroup.getFileName());
            assertThat(cgroup).doesNotExist();
        }
    }

    @Test
    void aKillReachesWhatIsInItAndItIsRemoved() throws Exception {
        try (BareSupervisor supervisor = BareSupervisor.in(folder)) {
            Path cgroup = made(supervisor);
            supervisor.start(LONG, AwkwardTree.stubbornCommand());
            Await.until("the tree", () -> supervisor.started().size() >= AwkwardTree.SIZE);

            supervisor.say("kill");

            assertThat(supervisor.toTheEnd()).containsExactly("started", "signaled 9", "gone killed");
            assertThat(cgroup).doesNotExist();
        }
    }

    @Test
    void aFolderThatIsNoneIsToldAndTheCommandRunsWithoutIt() throws Exception {
        try (BareSupervisor supervisor = BareSupervisor.in(folder)) {
            int notImplemented = 38;
            supervisor.say("cgroup " + folder, "cgroup " + folder);
            assertThat(supervisor.next()).isEqualTo("nocgroup " + notImplemented);
            assertThat(supervisor.next()).isEqualTo("nocgroup " + notImplemented);
            assertThat(folder).isEmptyDirectory();

            supervisor.start(LONG, "true");

            assertThat(supervisor.toTheEnd()).containsExactly("started", "exited 0", "gone self");
        }
    }

    /** What has left the tree and dropped the mark is found by nothing else. */
    @Test
    void aKilledSupervisorLeavesNothingInIt() throws Exception {
        try (BareSupervisor probe = BareSupervisor.in(folder)) {
            made(probe);
        }
        Path pid = folder.resolve("pid");
        String script = "env -i setsid sh -c 'echo $$ > " + pid + ".new; mv " + pid + ".new " + pid
                + "; exec sleep 1001' & exec sleep 1002";
        try (var run = WrapperProcess.start(List.of("-Dcgroup=auto"), "sh", "-c", script)) {
            Await.until("a process without a mark", () -> Files.exists(pid));
            ProcessEntry escaped =
                    new ProcessEntry(Long.parseLong(Files.readString(pid).strip()));
            assertThat(escaped.isAlive()).isTrue();

            run.supervisor().kill();

            assertThat(run.exitCode()).isEqualTo(70);
            assertThat(escaped.isAlive()).isFalse();
        }
    }
}
