package dev.incumbent.stonith;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.NodeBoot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether another process of this boot is gone, of real processes and of folders that tell what a container's do. */
class LocalNodeTest {
    private final LocalNode here = LocalNode.named("me");

    @TempDir
    private Path folder;

    @Test
    void aProcessIsGoneOnceItHasEnded() throws Exception {
        Process other = new ProcessBuilder("sleep", "60").start();
        NodeBoot on = bootOf(other.pid());

        Optional<String> before = here.obstacle(FenceScript.holder(on));
        other.destroyForcibly().waitFor(10, TimeUnit.SECONDS);

        assertThat(before)
                .contains("process " + other.pid() + " of ledger-1@host-4711-9f3c still runs on this machine: end it");
        assertThat(here.obstacle(FenceScript.holder(on))).isEmpty();
    }

    @Test
    void aLaterProcessOfTheSameIdIsAnother() throws Exception {
        NodeBoot own = here.boot();
        String[] parts = own.process().split(":", 3);
        NodeBoot former = new NodeBoot("me", own.bootId(), parts[0] + ":1:" + parts[2]);

        assertThat(here.obstacle(FenceScript.holder(own))).isPresent();
        assertThat(here.obstacle(FenceScript.holder(former))).isEmpty();
    }

    @Test
    void whatRunsInOtherNamespacesIsNotSeenAndNotGone() {
        NodeBoot own = here.boot();
        String[] parts = own.process().split(":", 3);
        NodeBoot contained = new NodeBoot("me", own.bootId(), "1:2:pid4,time4");

        assertThat(parts[2]).matches("pid[0-9]+,time([0-9]+|none)");
        assertThat(here.obstacle(FenceScript.holder(contained)))
                .hasValueSatisfying(why -> assertThat(why).contains("runs in other namespaces"));
    }

    @Test
    void anotherBootAnotherNodeAndAStrangeNameAreNotJudged() {
        NodeBoot own = here.boot();

        assertThat(here.obstacle(FenceScript.holder(new NodeBoot("me", "other", own.process()))))
                .isPresent();
        assertThat(here.obstacle(FenceScript.holder(new NodeBoot("you", own.bootId(), own.process()))))
                .isPresent();
        assertThat(here.obstacle(FenceScript.holder(new NodeBoot("me", own.bootId(), "pod-7"))))
                .hasValueSatisfying(why -> assertThat(why).contains("is called otherwise"));
    }

    /** It led for others, which work on. */
    @Test
    void theEndOfAProcessThatLedForOthersProvesNothing() throws Exception {
        LocalNode there = LocalNode.in(folder(), "me");
        NodeBoot gone = new NodeBoot("me", "boot-1", "77:5:pid4026,timenone");
        NodeBoot agent = new NodeBoot("me", "boot-1", "for-others:77:5:pid4026,timenone");

        assertThat(there.obstacle(FenceScript.holder(gone))).isEmpty();
        assertThat(there.obstacle(FenceScript.holder(agent)))
                .hasValueSatisfying(why -> assertThat(why).contains("led for other programs of this machine"));
        assertThat(there.forOthers().boot())
                .isEqualTo(new NodeBoot("me", "boot-1", "for-others:" + own() + ":5:pid4026,timenone"));
    }

    /** What a holder has started may outlive it. */
    @Test
    void aHolderIsNotGoneWhileAProcessThatItHasMarkedRuns() throws Exception {
        ProcessBuilder builder = new ProcessBuilder("sleep", "60");
        builder.environment().put("INCUMBENT_CANDIDATE", "ledger-1@host-4711-9f3c");
        Process left = builder.start();
        Process holder = new ProcessBuilder("sleep", "60").start();
        NodeBoot on = bootOf(holder.pid());
        holder.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        LocalNode marking = here.markedBy("INCUMBENT_CANDIDATE");

        Optional<String> before = marking.obstacle(FenceScript.holder(on));
        left.destroyForcibly().waitFor(10, TimeUnit.SECONDS);

        assertThat(before)
                .hasValueSatisfying(why ->
                        assertThat(why).contains("[" + left.pid() + "]", "INCUMBENT_CANDIDATE of its environment"));
        assertThat(marking.obstacle(FenceScript.holder(on)).filter(why -> why.contains("" + left.pid())))
                .isEmpty();
    }

    @Test
    void aFolderThatHidesProcessesProvesNothing() throws Exception {
        Path proc = folder();
        LocalNode there = LocalNode.in(proc, "me");
        NodeBoot gone = new NodeBoot("me", "boot-1", "77:5:pid4026,timenone");

        assertThat(there.boot()).isEqualTo(new NodeBoot("me", "boot-1", own() + ":5:pid4026,timenone"));
        assertThat(there.obstacle(FenceScript.holder(gone))).isEmpty();

        Files.writeString(
                proc.resolve(own() + "/mountinfo"), "26 1 0:23 / /proc rw - proc proc rw,hidepid=invisible\n");
        assertThat(there.obstacle(FenceScript.holder(gone)))
                .hasValueSatisfying(why -> assertThat(why).contains("hidepid"));
    }

    @Test
    void aZombieIsGoneAndOneWhoseThreadsRunIsNot() throws Exception {
        Path proc = folder();
        LocalNode there = LocalNode.in(proc, "me");
        NodeBoot on = new NodeBoot("me", "boot-1", "77:5:pid4026,timenone");
        Files.createDirectory(proc.resolve("77"));

        Files.writeString(proc.resolve("77/stat"), stat(77, 'Z', 3));
        assertThat(there.obstacle(FenceScript.holder(on))).isPresent();
        Files.writeString(proc.resolve("77/stat"), stat(77, 'Z', 1));
        assertThat(there.obstacle(FenceScript.holder(on))).isEmpty();
        Files.delete(proc.resolve("77/stat"));
        Files.createDirectory(proc.resolve("77/stat"));
        assertThat(there.obstacle(FenceScript.holder(on)))
                .hasValueSatisfying(why -> assertThat(why).contains("could not be read"));
    }

    private Path folder() throws Exception {
        Path proc = Files.createDirectory(folder.resolve("proc"));
        Path own = Files.createDirectory(proc.resolve(own()));
        Files.createSymbolicLink(proc.resolve("self"), Path.of(own()));
        Files.createDirectories(proc.resolve("sys/kernel/random"));
        Files.writeString(proc.resolve("sys/kernel/random/boot_id"), "boot-1\n");
        Files.writeString(own.resolve("stat"), stat(ProcessHandle.current().pid(), 'S', 9));
        Files.writeString(own.resolve("mountinfo"), "26 1 0:23 / /proc rw,nosuid - proc proc rw\n");
        Files.createDirectory(own.resolve("ns"));
        Files.createSymbolicLink(own.resolve("ns/pid"), Path.of("pid:[4026]"));
        return proc;
    }

    private static String own() {
        return Long.toString(ProcessHandle.current().pid());
    }

    /** Its name holds a bracket and blanks, as a process may choose. */
    private static String stat(long pid, char state, int threads) {
        return pid + " (a) b) " + state + " 1 1 1 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 " + threads + " 0 5 0 0\n";
    }

    private NodeBoot bootOf(long pid) throws Exception {
        String[] parts = here.boot().process().split(":", 3);
        long start = new ProcFiles(Path.of("/proc")).statOf(pid).startTicks();
        return new NodeBoot("me", here.boot().bootId(), pid + ":" + start + ":" + parts[2]);
    }
}
