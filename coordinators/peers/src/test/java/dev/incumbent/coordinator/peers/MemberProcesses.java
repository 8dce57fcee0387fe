package dev.incumbent.coordinator.peers;

import dev.incumbent.servers.ClassPath;
import dev.incumbent.servers.Place;
import dev.incumbent.servers.ServerProcess;
import dev.incumbent.servers.Waiting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The members of one group as processes of their own ({@link MemberProgram}), which are killed, frozen and started again. Numbered from 0 on, the lesser before the greater. */
final class MemberProcesses implements AutoCloseable {
    /** An election takes at most 6 s, and a machine that runs other tests is slow. */
    static final Duration SOON = Duration.ofSeconds(40);

    private static final String ELECTION = "billing/closer";
    private static final Pattern LINE = Pattern.compile("(leads|no more) (\\d+)");

    private final PeerKind kind;
    private final List<Place> places;
    private final List<String> ids;
    private final Path folder;
    private final String more;
    private final Map<Integer, ServerProcess> members = new TreeMap<>();

    /** At these places, whose addresses get these ports; {@code more} is appended to the URI. */
    MemberProcesses(PeerKind kind, List<Place> places, List<Integer> ports, Path folder, String more) {
        this.kind = kind;
        this.places = places;
        this.folder = folder;
        this.more = more;
        this.ids = new ArrayList<>();
        for (int i = 0; i < places.size(); i++) {
            ids.add(places.get(i).address() + ":" + ports.get(i));
        }
        if (!ids.equals(ids.stream().sorted(Comparator.naturalOrder()).toList())) {
            throw new IllegalArgumentException("the lesser stand before the greater, not " + ids);
        }
    }

    /** Founds the group where it needs that, and starts all members. */
    MemberProcesses startAll() {
        for (int i = 0; i < ids.size(); i++) {
            if (kind.isSafe()) {
                PeerElections.found(uri(i), ELECTION);
            }
        }
        for (int i = 0; i < ids.size(); i++) {
            start(i);
        }
        return this;
    }

    private String uri(int member) {
        return kind.scheme() + "://" + String.join(",", ids) + "?me=" + ids.get(member)
                + (kind.isSafe() ? "&data=" + folder.resolve("data-" + member) : "&two-leaders=true") + more;
    }

    private void start(int member) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(places.get(member).launcher());
        command.addAll(
                List.of(java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx64m", "-cp", ClassPath.text()));
        command.addAll(List.of(MemberProgram.class.getName(), uri(member), ELECTION));
        Path log = folder.resolve("member-" + member + ".log");
        members.put(
                member,
                ServerProcess.start(
                        "member-" + member,
                        command,
                        Map.of(),
                        folder,
                        () -> Files.readString(log).contains("stands")));
    }

    ServerProcess member(int member) {
        return Objects.requireNonNull(members.get(member), () -> "member " + member);
    }

    void startAgain(int member) {
        int before = starts(member);
        member(member).startAgain();
        Waiting.until("the start of " + member, () -> starts(member) > before);
    }

    private int starts(int member) {
        return member(member).log().split("stands", -1).length;
    }

    /** Waits for so long as it may take; whether the set of leaders is ever such. */
    boolean come(Predicate<Set<Integer>> leaders) {
        return Waiting.within(SOON, () -> leaders.test(leaders()));
    }

    /** Is it such for that long? */
    boolean stay(Duration length, Predicate<Set<Integer>> leaders) {
        return !Waiting.within(length, () -> !leaders.test(leaders()));
    }

    /** Those whose guard has said yes and not yet no, as they told last. */
    Set<Integer> leaders() {
        return members.keySet().stream().filter(this::leads).collect(Collectors.toCollection(TreeSet::new));
    }

    private boolean leads(int member) {
        if (!member(member).isRunning()) {
            return false;
        }
        String log = member(member).log();
        String last = LINE.matcher(log.substring(log.lastIndexOf("stands")))
                .results()
                .reduce((before, after) -> after)
                .map(found -> found.group(1))
                .orElse("");
        return last.equals("leads");
    }

    /** Every term that began, at any member. */
    List<String> begun() {
        return members.values().stream()
                .flatMap(member -> LINE.matcher(member.log()).results())
                .filter(found -> found.group(1).equals("leads"))
                .map((MatchResult found) -> found.group(2))
                .toList();
    }

    String logs() {
        return members.entrySet().stream()
                .map(entry -> ids.get(entry.getKey()) + ":\n" + entry.getValue().logTail())
                .collect(Collectors.joining("\n"));
    }

    @Override
    public void close() {
        members.values().forEach(ServerProcess::close);
    }
}
