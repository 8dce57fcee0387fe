package dev.incumbent.coordinator.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.servers.ClassPath;
import dev.incumbent.servers.FreePorts;
import dev.incumbent.servers.ServerProcess;
import dev.incumbent.servers.Waiting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Five members as processes of their own, on sockets and disks, which are killed and frozen. */
@Tag("realtime")
class PeerProcessesTest {
    private static final String ELECTION = "billing/closer";
    private static final Duration SOON = Duration.ofSeconds(40);
    private static final Pattern LINE = Pattern.compile("(leads|no more) (\\d+)");

    @TempDir
    Path folder;

    private final Map<Integer, ServerProcess> members = new TreeMap<>();
    private final List<Integer> ports =
            new TreeSet<>(FreePorts.some(5)).stream().toList();

    @AfterEach
    void stopAll() {
        members.values().forEach(ServerProcess::close);
    }

    @Test
    void raftElectsAmongFiveProcessesAndSurvivesAKillAndAFreeze() {
        ports.forEach(port -> PeerElections.found(uri(PeerKind.RAFT, port), ELECTION));
        ports.forEach(port -> start(PeerKind.RAFT, port));
        int first = awaitLeader(Set.of());

        members.get(first).kill();
        int second = awaitLeader(Set.of(first));
        startAgain(first);
        members.get(second).freeze();
        int third = awaitLeader(Set.of(second));
        members.get(second).thaw();

        assertThat(Waiting.within(SOON, () -> !leads(second)))
                .as("the frozen leader leads no more")
                .isTrue();
        assertThat(leads(third)).isTrue();
        assertThat(begun()).as("each term began at one member").doesNotHaveDuplicates();
    }

    @Test
    void theGreatestOfABullyLeadsAndTheNextAfterItsKill() {
        theGreatestLeads(PeerKind.BULLY);
    }

    @Test
    void theGreatestOfARingLeadsAndTheNextAfterItsKill() {
        theGreatestLeads(PeerKind.RING);
    }

    private void theGreatestLeads(PeerKind kind) {
        ports.forEach(port -> start(kind, port));
        List<Integer> byId = ports.stream()
                .sorted((one, other) -> id(one).compareTo(id(other)))
                .toList();
        int greatest = byId.get(4);
        int next = byId.get(3);
        assertThat(Waiting.within(SOON, () -> leaders().equals(Set.of(greatest))))
                .as("the greatest leads")
                .isTrue();

        members.get(greatest).kill();
        assertThat(Waiting.within(SOON, () -> leaders().contains(next)))
                .as("the next leads")
                .isTrue();
        members.get(next).freeze();
        int third = byId.get(2);
        assertThat(Waiting.within(SOON, () -> leaders().contains(third)))
                .as("the third leads")
                .isTrue();
        members.get(next).thaw();

        assertThat(Waiting.within(SOON, () -> leads(next) && !leads(third)))
                .as("the greater one leads again")
                .isTrue();
    }

    private static String id(int port) {
        return "127.0.0.1:" + port;
    }

    private String uri(PeerKind kind, int port) {
        String list = ports.stream().map(PeerProcessesTest::id).collect(Collectors.joining(","));
        return kind.scheme() + "://" + list + "?me=" + id(port)
                + (kind.isSafe() ? "&data=" + folder.resolve("data-" + port) : "&two-leaders=true");
    }

    private void start(PeerKind kind, int port) {
        String program = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command =
                new ArrayList<>(List.of(program, "-XX:TieredStopAtLevel=1", "-Xmx64m", "-cp", ClassPath.text()));
        command.addAll(List.of(MemberProgram.class.getName(), uri(kind, port), ELECTION));
        Path log = folder.resolve("member-" + port + ".log");
        members.put(
                port,
                ServerProcess.start(
                        "member-" + port,
                        command,
                        Map.of(),
                        folder,
                        () -> Files.readString(log).contains("stands")));
    }

    private void startAgain(int port) {
        int before = starts(port);
        members.get(port).startAgain();
        Waiting.until("the start of " + port, () -> starts(port) > before);
    }

    private int starts(int port) {
        return members.get(port).log().split("stands", -1).length;
    }

    /** The one that leads, once there is one that is none of these. */
    private int awaitLeader(Set<Integer> but) {
        assertThat(Waiting.within(SOON, () -> leaders().stream().anyMatch(one -> !but.contains(one))))
                .as("somebody leads but " + but + "; " + logs())
                .isTrue();
        return leaders().stream().filter(one -> !but.contains(one)).findFirst().orElseThrow();
    }

    private Set<Integer> leaders() {
        return members.keySet().stream().filter(this::leads).collect(Collectors.toCollection(TreeSet::new));
    }

    /** By the last that it said since it started. */
    private boolean leads(int port) {
        if (!members.get(port).isRunning()) {
            return false;
        }
        String log = members.get(port).log();
        Matcher lines = LINE.matcher(log.substring(log.lastIndexOf("stands")));
        String last = "";
        while (lines.find()) {
            last = lines.group(1);
        }
        return last.equals("leads");
    }

    /** Every term that began, at any member. */
    private List<String> begun() {
        List<String> begun = new ArrayList<>();
        members.values()
                .forEach(member -> Pattern.compile("leads (\\d+)")
                        .matcher(member.log())
                        .results()
                        .forEach(result -> begun.add(result.group(1))));
        return begun;
    }

    private String logs() {
        return members.entrySet().stream()
                .map(entry -> entry.getKey() + ":\n" + entry.getValue().logTail())
                .collect(Collectors.joining("\n"));
    }
}
