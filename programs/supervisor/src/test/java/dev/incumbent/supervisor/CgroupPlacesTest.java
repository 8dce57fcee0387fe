package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where control groups are found, and what becomes of the one that was made, on a kernel that has them. */
@Timeout(90)
final class CgroupPlacesTest {
    private static final int LONG = 60_000;
    private static final String NOBODY = "65534";

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

    /** A place with a blank in its name, which stands in mountinfo as an octal number. */
    private Path place() throws IOException {
        return Files.createDirectory(folder.resolve("a place"));
    }

    /** Words before a program that shall be in the given group, in a mount namespace where that was done first. */
    private String[] where(String isDone) {
        String script = "echo $$ > " + given.folder() + "/cgroup.procs; exec unshare -m sh -c '" + isDone
                + " && exec \"$@\"' sh \"$@\"";
        return new String[] {"sh", "-c", script, "sh"};
    }

    private static Path answered(BareSupervisor supervisor) throws IOException {
        String answer = supervisor.next();
        assertThat(answer).startsWith("cgroup /");
        return Path.of(answer.substring("cgroup ".length()));
    }

    @Test
    void theHierarchyMayBeMountedAnywhere() throws Exception {
        given.giveTo("0");
        Path place = place();
        String elsewhere = "umount -l " + given.top() + " && mount -t cgroup2 none \"" + place + "\"";
        try (BareSupervisor supervisor = BareSupervisor.by(folder, where(elsewhere))) {
            supervisor.say("cgroup auto");

            assertThat(answered(supervisor))
                    .hasParentRaw(place.resolve(given.folder().getFileName()));
            supervisor.start(LONG, "true");
            assertThat(supervisor.toTheEnd()).containsExactly("started", "exited 0", "gone self");
        }
    }

    /** As in a container that shares the host's names: what is shown begins with its own group. */
    @Test
    void theTopmostOneInSightIsDividedWithoutBeingGivenAway() throws Exception {
        Path place = place();
        String part = "mount --bind " + given.folder() + " \"" + place + "\" && umount -l " + given.top();
        try (BareSupervisor supervisor = BareSupervisor.by(folder, where(part))) {
            supervisor.say("cgroup auto");

            assertThat(answered(supervisor)).hasParentRaw(place);
            supervisor.say("kill");
            assertThat(supervisor.toTheEnd()).containsExactly("gone killed");
        }
    }

    @Test
    void aHierarchyThatShowsOnlyOthersIsPassedOver() throws Exception {
        int noSuchFile = 2;
        Path other = Files.createDirectory(given.folder().resolve("other"));
        String part = "mount --bind " + other + " \"" + place() + "\" && umount -l " + given.top();
        try (BareSupervisor supervisor = BareSupervisor.by(folder, where(part))) {
            supervisor.say("cgroup auto");

            assertThat(supervisor.next()).isEqualTo("nocgroup " + noSuchFile);
        }
        Files.delete(other);
    }

    @Test
    void whoIsNotRootDividesWhatWasGivenToIt() throws Exception {
        given.giveTo(NOBODY);
        try (BareSupervisor supervisor = BareSupervisor.asNobody(folder, given.inside())) {
            supervisor.say("cgroup auto");

            Path cgroup = answered(supervisor);
            supervisor.start(LONG, "sh", "-c", "grep -q /" + cgroup.getFileName() + "$ /proc/self/cgroup && exit 3");
            assertThat(supervisor.toTheEnd()).containsExactly("started", "exited 3", "gone self");
            assertThat(cgroup).doesNotExist();
        }
    }

    /** Rights on the folder alone do not let a process in: the group above both must be ours, too. */
    @Test
    void oneThatCannotBeEnteredIsNone() throws Exception {
        int accessDenied = 13;
        given.giveTo(NOBODY);
        try (BareSupervisor supervisor = BareSupervisor.asNobody(folder)) {
            supervisor.say("cgroup " + given.folder());

            assertThat(supervisor.next()).isEqualTo("nocgroup " + accessDenied);
            assertThat(given.children()).isEmpty();
        }
    }

    @Test
    void groupsThatTheCommandMadeAreRemovedWithItsOwn() throws Exception {
        try (BareSupervisor supervisor = BareSupervisor.in(folder)) {
            supervisor.say("cgroup " + given.folder());
            Path cgroup = answered(supervisor);
            String nested = "mkdir -p " + cgroup + "/one/two; echo $$ > " + cgroup + "/one/two/cgroup.procs; exit 4";
            supervisor.start(LONG, "sh", "-c", nested);

            assertThat(supervisor.toTheEnd()).containsExactly("started", "exited 4", "gone self");

            assertThat(given.children()).isEmpty();
        }
    }

    @Test
    void aKilledSupervisorsGroupsAreRemovedByTheWrapper() throws Exception {
        String nested = "group=" + given.folder() + "/$(ls " + given.folder()
                + " | grep incumbent-); mkdir $group/one; " + "echo $$ > $group/one/cgroup.procs; exec sleep 1001";
        try (var run = WrapperProcess.start(List.of("-Dcgroup=" + given.folder()), "sh", "-c", nested)) {
            run.awaitStarted("sleep", 1);

            run.supervisor().kill();

            assertThat(run.exitCode()).isEqualTo(70);
            assertThat(given.children()).isEmpty();
        }
    }

    @Test
    void whatIsFrozenIsKilled() throws Exception {
        try (BareSupervisor supervisor = BareSupervisor.in(folder)) {
            Path cgroup = frozen(supervisor, "touch up; exec sleep 1001");

            supervisor.say("kill");

            assertThat(supervisor.toTheEnd()).containsExactly("signaled 9", "gone killed");
            assertThat(cgroup).doesNotExist();
        }
    }

    @Test
    void whatIsFrozenIsThawedToEndByItself() throws Exception {
        try (BareSupervisor supervisor = BareSupervisor.in(folder)) {
            frozen(supervisor, "trap 'exit 5' TERM; touch up; while :; do sleep 0.02; done");

            supervisor.say("stop 15 " + supervisor.bootTime(LONG));

            assertThat(supervisor.toTheEnd()).containsExactly("exited 5", "gone asked");
        }
    }

    private Path frozen(BareSupervisor supervisor, String script) throws IOException {
        supervisor.say("cgroup " + given.folder());
        Path cgroup = answered(supervisor);
        supervisor.start(LONG, "sh", "-c", script);
        assertThat(supervisor.nextWord()).isEqualTo("ack");
        assertThat(supervisor.nextWord()).isEqualTo("forked");
        assertThat(supervisor.next()).isEqualTo("started");
        Await.until("a start", () -> Files.exists(folder.resolve("up")));
        Files.writeString(cgroup.resolve("cgroup.freeze"), "1", StandardOpenOption.WRITE);
        Await.until(
                "frozen",
                () -> GivenCgroup.read(cgroup.resolve("cgroup.events")).contains("frozen 1"));
        return cgroup;
    }

    /** One who had the same process id before was killed together with its wrapper. */
    @Test
    void whatOthersLeftBehindIsNotInTheWay() throws Exception {
        try (BareSupervisor supervisor = BareSupervisor.in(folder)) {
            Path left = given.folder().resolve("incumbent-" + supervisor.entry().pid());
            Files.createDirectory(left);
            supervisor.say("cgroup " + given.folder());

            assertThat(answered(supervisor)).isEqualTo(Path.of(left + ".1"));
            supervisor.say("kill");
            assertThat(supervisor.toTheEnd()).containsExactly("gone killed");
            assertThat(given.children()).containsExactly(left);
            Files.delete(left);
        }
    }
}
