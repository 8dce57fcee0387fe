package dev.incumbent.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * One Consul server on its disk, the leader of itself; or one of several servers; or an agent that is no server. Its shortest session is what it was started with; Consul's own
 * default is 10 s. Not thread-safe.
 */
public final class ConsulServer implements AutoCloseable {
    /** What a secured server lets do everything. */
    public static final String MASTER_TOKEN = "11111111-2222-3333-4444-555555555555";

    private static final long LONGEST_COMMAND_SECONDS = 20;

    private final TemporaryFolder folder;
    private final Access access;
    private final Member member;
    private final int port;
    private final int tlsPort;
    private final ServerProcess process;

    /** Who may speak to it. */
    public enum Access {
        /** Whoever reaches it. */
        OPEN,
        /** Whose token has a policy; without one nothing is allowed. */
        TOKENS,
        /** Whoever reaches it, also over TLS, with a certificate of its own authority. */
        TLS
    }

    /**
     * What an agent is among others.
     *
     * @param node its name in the catalog
     * @param servers how many servers elect a leader; 0 for an agent that is none
     * @param gossip the port of its own by which the agents hear each other
     * @param others such ports of the agents that it joins
     */
    private record Member(String node, int servers, int gossip, List<Integer> others) {
        static Member alone() {
            return new Member("consul", 1, FreePorts.one(), List.of());
        }

        String configuration() {
            String kind = servers == 0 ? "\"server\":false" : "\"server\":true,\"bootstrap_expect\":" + servers;
            String joins =
                    others.stream().map(port -> "\"127.0.0.1:" + port + "\"").collect(Collectors.joining(","));
            return kind + ",\"node_name\":\"" + node + "\",\"retry_join\":[" + joins + "],\"retry_interval\":\"1s\"";
        }
    }

    private ConsulServer(TemporaryFolder folder, Access access, Duration shortestSession) {
        this(folder, access, shortestSession, Member.alone());
    }

    private ConsulServer(TemporaryFolder folder, Access access, Duration shortestSession, Member member) {
        this.folder = folder;
        this.access = access;
        this.member = member;
        List<Integer> ports = FreePorts.some(3);
        this.port = ports.get(0);
        this.tlsPort = ports.get(1);
        if (access == Access.TLS) {
            certify();
        }
        write("consul.json", configuration(ports, shortestSession));
        this.process = ServerProcess.start(
                "consul",
                List.of("consul", "agent", "-config-file=consul.json"),
                Map.of(),
                folder.path(),
                member.servers() > 1 ? this::answers : this::isReady);
    }

    /** With Consul's own shortest session, 10 s. */
    public static ConsulServer start(Access access) {
        return start(access, Duration.ofSeconds(10));
    }

    public static ConsulServer start(Access access, Duration shortestSession) {
        return new ConsulServer(TemporaryFolder.create("consul"), access, shortestSession);
    }

    /** Starts one that whoever reaches it may use, and that keeps all in that folder, which goes with it. */
    public static ConsulServer startIn(TemporaryFolder folder, Duration shortestSession) {
        return new ConsulServer(folder, Access.OPEN, shortestSession);
    }

    /** Starts some servers that elect a leader among themselves, and waits until they have one. */
    public static List<ConsulServer> startSeveral(int count, Duration shortestSession) {
        List<Integer> gossip = FreePorts.some(count);
        List<ConsulServer> servers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Member member = new Member("server-" + (i + 1), count, gossip.get(i), gossip);
            servers.add(new ConsulServer(TemporaryFolder.create("consul"), Access.OPEN, shortestSession, member));
        }
        Waiting.until("a leader of Consul's servers", () -> servers.stream().allMatch(ConsulServer::isReadyNow));
        return servers;
    }

    /** Starts an agent that is no server, as there is one on each machine, and that hands all questions on to this server. */
    public ConsulServer startAgent(String node, Duration shortestSession) {
        Member its = new Member(node, 0, FreePorts.one(), List.of(member.gossip()));
        return new ConsulServer(TemporaryFolder.create("consul"), Access.OPEN, shortestSession, its);
    }

    /** What it is called in the catalog. */
    public String node() {
        return member.node();
    }

    /** Where it speaks HTTP. */
    public int port() {
        return port;
    }

    /** Where it speaks HTTPS, if started with {@link Access#TLS}. */
    public int tlsPort() {
        return tlsPort;
    }

    /** The certificate of the authority that its own is from. */
    public Path authority() {
        return folder.resolve("consul-agent-ca.pem");
    }

    public ServerProcess process() {
        return process;
    }

    /** Runs one command of Consul's own client against it, with every right; what it wrote to its output. */
    public String consul(String... arguments) {
        List<String> line = new ArrayList<>(List.of("consul"));
        line.addAll(List.of(arguments));
        return run(line, Map.of("CONSUL_HTTP_ADDR", "127.0.0.1:" + port, "CONSUL_HTTP_TOKEN", token()));
    }

    /** A new token that has these rules alone. */
    public String tokenOf(String name, String rules) {
        consul("acl", "policy", "create", "-name=" + name, "-rules=" + rules);
        return field("SecretID", consul("acl", "token", "create", "-policy-name=" + name));
    }

    /** Gives the token of that name other rules. */
    public void changeRules(String name, String rules) {
        String id = field("ID", consul("acl", "policy", "read", "-name=" + name));
        consul("acl", "policy", "update", "-id=" + id, "-rules=" + rules);
    }

    /** Ends a token. */
    public void revoke(String token) {
        String id = field("AccessorID", consul("acl", "token", "read", "-self", "-token=" + token));
        consul("acl", "token", "delete", "-id=" + id);
    }

    private static String field(String name, String told) {
        return told.lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElseThrow();
    }

    /** Copies all that it knows, under a name. */
    public void save(String name) {
        consul("snapshot", "save", folder.resolve(name).toString());
    }

    /** Puts back what was saved. */
    public void restore(String name) {
        consul("snapshot", "restore", folder.resolve(name).toString());
    }

    private String token() {
        return access == Access.TOKENS ? MASTER_TOKEN : "";
    }

    private String configuration(List<Integer> ports, Duration shortestSession) {
        String tls = "\"cert_file\":\"dc1-server-consul-0.pem\",\"key_file\":\"dc1-server-consul-0-key.pem\","
                + "\"ca_file\":\"consul-agent-ca.pem\",";
        String acl = "\"acl\":{\"enabled\":true,\"default_policy\":\"deny\",\"tokens\":{\"master\":\"" + MASTER_TOKEN
                + "\",\"agent\":\"" + MASTER_TOKEN + "\"}},";
        return "{" + member.configuration() + ",\"data_dir\":\"data\",\"log_level\":\"warn\","
                + "\"bind_addr\":\"127.0.0.1\",\"client_addr\":\"127.0.0.1\",\"disable_update_check\":true,"
                + (access == Access.TLS ? tls : "")
                + (access == Access.TOKENS ? acl : "")
                + "\"session_ttl_min\":\"" + shortestSession.toMillis()
                + "ms\",\"performance\":{\"raft_multiplier\":1},"
                + "\"ports\":{\"dns\":-1,\"grpc\":-1,\"serf_wan\":-1,\"http\":" + port + ",\"https\":"
                + (access == Access.TLS ? tlsPort : -1) + ",\"serf_lan\":" + member.gossip() + ",\"server\":"
                + ports.get(2) + "}}";
    }

    private void certify() {
        run(List.of("consul", "tls", "ca", "create"), Map.of());
        run(List.of("consul", "tls", "cert", "create", "-server", "-dc", "dc1"), Map.of());
    }

    private boolean answers() throws IOException {
        return !get("/v1/agent/self").isEmpty();
    }

    /** There is a leader, and a session could be of this node. */
    private boolean isReady() throws IOException {
        String leader = get("/v1/status/leader");
        return leader.contains(":") && get("/v1/catalog/nodes").contains("\"Node\":\"" + member.node() + "\"");
    }

    private boolean isReadyNow() {
        try {
            return isReady();
        } catch (IOException notYet) {
            return false;
        }
    }

    private String get(String path) throws IOException {
        var connection = (HttpURLConnection)
                URI.create("http://127.0.0.1:" + port + path).toURL().openConnection();
        connection.setReadTimeout(2_000);
        connection.setRequestProperty("X-Consul-Token", token());
        try (var in = connection.getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
    }

    private void write(String name, String text) {
        try {
            Files.writeString(folder.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String run(List<String> line, Map<String, String> environment) {
        Path told = folder.resolve("told-" + Thread.currentThread().getId());
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(folder.path().toFile())
                .redirectErrorStream(true)
                .redirectOutput(told.toFile());
        builder.environment().putAll(environment);
        try {
            Process command = builder.start();
            if (!command.waitFor(LONGEST_COMMAND_SECONDS, TimeUnit.SECONDS)) {
                command.destroyForcibly();
            }
            int code = command.waitFor();
            String text = Files.readString(told);
            if (code != 0) {
                throw new IllegalStateException(String.join(" ", line) + " ended with " + code + ": " + text);
            }
            return text;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        process.close();
        folder.close();
    }
}
