package dev.incumbent.acceptance;

import dev.incumbent.servers.Command;
import dev.incumbent.servers.ServerProcess;
import dev.incumbent.servers.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** One host: its agent, and an owner of each kind that stands through it. Used by one thread. */
final class AgentHost implements AutoCloseable {
    private static final Duration LONG = Duration.ofSeconds(30);

    /** The launcher: some test's library here brings an HTTP server of another version than the agent's. */
    private static final Path INCUMBENT = Path.of("incumbent").toAbsolutePath();

    private final String name;
    private final Path socket;
    private final ServerProcess agent;
    private final Map<Recipe, ServerProcess> owners = new EnumMap<>(Recipe.class);

    private AgentHost(String name, Path socket, ServerProcess agent) {
        this.name = name;
        this.socket = socket;
        this.agent = agent;
    }

    /** The agent alone, as soon as it is ready. */
    static AgentHost start(String name, Owners owners, String url, Duration lease) {
        Path socket = owners.socket(name);
        List<String> line =
                new ArrayList<>(List.of(INCUMBENT.toString(), "agent", "--name", name, "--at", url, "--sink", url));
        line.addAll(List.of("--lease", lease.toMillis() + "ms", "--listen", "unix:" + socket));
        return new AgentHost(
                name,
                socket,
                ServerProcess.start(
                        "agent-" + name,
                        line,
                        Map.of(),
                        owners.folder(),
                        () -> asks(socket, "/readyz").equals("{}\n")));
    }

    /** Nothing where no answer comes. */
    private static String asks(Path socket, String path) {
        List<String> line = List.of("curl", "-s", "--max-time", "5", "--unix-socket", socket.toString());
        try {
            return Command.run(
                    Stream.concat(line.stream(), Stream.of("http://localhost" + path))
                            .toList(),
                    Map.of());
        } catch (IllegalStateException unanswered) {
            return "";
        }
    }

    void add(Recipe recipe, Owners all, String election) {
        owners.put(recipe, all.start(recipe, who(recipe), socket, election));
    }

    /** The name that its rows bear. */
    String who(Recipe recipe) {
        return recipe.source() + " of " + name;
    }

    String name() {
        return name;
    }

    ServerProcess agent() {
        return agent;
    }

    ServerProcess owner(Recipe recipe) {
        return Objects.requireNonNull(owners.get(recipe));
    }

    /** What an owner takes of the memory, as Linux tells it. */
    String resident(Recipe recipe) throws IOException {
        try (Stream<String> lines =
                Files.lines(Path.of("/proc", Long.toString(owner(recipe).pid()), "status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .map(line -> line.substring("VmRSS:".length()).strip())
                    .findFirst()
                    .orElse("nothing");
        }
    }

    /** Whether the agent has an owner in that election, within a while. */
    boolean isStoodFor(String election) {
        String path = "/v1/elections/" + election.replace("/", "%2F");
        return Waiting.within(LONG, () -> asks(socket, path).contains("\"owners\":[\""));
    }

    /** Ends the owners in order, one after the other. */
    void stopOwners() {
        owners.values().forEach(ServerProcess::stop);
    }

    @Override
    public void close() {
        owners.values().forEach(ServerProcess::close);
        agent.thaw();
        agent.close();
    }
}
