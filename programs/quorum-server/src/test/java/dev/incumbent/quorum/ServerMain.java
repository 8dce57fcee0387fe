package dev.incumbent.quorum;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** One node as a process of its own, told by the flags of the verb {@code server}. */
final class ServerMain {
    /** An election timeout at which a crowded machine elects nobody anew: with the default, nodes that get no processor for 150 ms take turns. */
    static final String PATIENT = "1s";

    private ServerMain() {}

    /** What starts it, on this JVM's class path; a quorum's node gets along with this heap. */
    static List<String> command() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath(),
                ServerMain.class.getName());
    }

    /** Where this class was loaded from, with all that lies beside it; a launcher of tests may have a loader of its own. */
    private static String classPath() {
        return ServerMain.class.getClassLoader() instanceof URLClassLoader own
                ? Arrays.stream(own.getURLs()).map(URL::getPath).collect(Collectors.joining(":"))
                : System.getProperty("java.class.path");
    }

    public static void main(String[] given) throws IOException, InterruptedException {
        // A node of a test is never asked whether it may listen plainly.
        String[] args =
                Arrays.stream(given).filter(word -> !word.equals("--insecure")).toArray(String[]::new);
        List<Member> members = new ArrayList<>();
        String name = "";
        Path data = Path.of("");
        List<Tokens.Held> tokens = new ArrayList<>();
        Duration electionTimeout = NodeSettings.ELECTION_TIMEOUT;
        long snapshotEvery = NodeSettings.SNAPSHOT_EVERY;
        NodeSettings.Coming coming = coming(Arrays.asList(args));
        for (int i = 1; i + 1 < args.length; i += 2) {
            switch (args[i]) {
                case "--name" -> name = args[i + 1];
                case "--member" -> members.add(Member.of(args[i + 1]));
                case "--data" -> data = Path.of(args[i + 1]);
                case "--token-file" -> tokens.add(held(EnumSet.allOf(Role.class), args[i + 1]));
                case "--node-token-file" -> tokens.add(held(EnumSet.of(Role.NODE), args[i + 1]));
                case "--operator-token-file" -> tokens.add(held(EnumSet.of(Role.OPERATOR), args[i + 1]));
                case "--candidate-token-file" -> tokens.add(held(EnumSet.of(Role.CANDIDATE), args[i + 1]));
                case "--reader-token-file" -> tokens.add(held(EnumSet.of(Role.READER), args[i + 1]));
                case "--election-timeout" -> electionTimeout = Duration.parse("PT" + args[i + 1]);
                case "--snapshot-every" -> snapshotEvery = Long.parseLong(args[i + 1]);
                default -> throw new IllegalArgumentException(args[i]);
            }
        }
        NodeSettings settings = new NodeSettings(
                members,
                name,
                data,
                tokens.isEmpty() ? Tokens.none() : Tokens.of(tokens),
                Optional.empty(),
                coming,
                electionTimeout,
                snapshotEvery);
        QuorumNode node = started(settings);
        Thread.setDefaultUncaughtExceptionHandler(node::fails);
        Optional<QuorumNode.End> end = node.awaitEnd();
        end.ifPresent(told -> System.out.println(told.why()));
        node.close();
        System.exit(end.map(told -> exitCode(told.cause())).orElse(0));
    }

    /** As the verb's. */
    private static int exitCode(QuorumNode.Cause cause) {
        return switch (cause) {
            case LEFT_OUT -> 0;
            case DISK -> 74;
            case FAULT -> 70;
        };
    }

    private static NodeSettings.Coming coming(List<String> args) {
        return args.contains("--rejoin")
                ? NodeSettings.Coming.REJOINING
                : args.contains("--join") ? NodeSettings.Coming.JOINING : NodeSettings.Coming.AS_IT_IS;
    }

    private static Tokens.Held held(Set<Role> roles, String file) throws IOException {
        String token = Files.readString(Path.of(file)).strip();
        return new Tokens.Held(roles, () -> List.of(token));
    }

    /** What it is refused for is said as the verb does. */
    private static QuorumNode started(NodeSettings settings) throws IOException, InterruptedException {
        try {
            return QuorumNode.start(settings, System.out::println);
        } catch (NodeRefusal refused) {
            System.out.println(refused.getMessage());
            System.exit(refused.isOfTheDisk() ? 74 : 78);
            throw refused;
        }
    }
}
