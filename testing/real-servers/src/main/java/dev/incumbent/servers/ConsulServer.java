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

/**
 * One Consul server on its disk, the leader of itself. Its shortest session is what it was started with; Consul's own default is 10 s. Not thread-safe.
 */
public final class ConsulServer implements AutoCloseable {
    /** What a secured server lets do everything. */
    public static final String MASTER_TOKEN = "11111111-2222-3333-4444-555555555555";

    private static final long LONGEST_COMMAND_SECONDS = 20;

    private final TemporaryFolder folder;
    private final Access access;
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

    private ConsulServer(TemporaryFolder folder, Access access, Duration shortestSession) {
        this.folder = folder;
        this.access = access;
        List<Integer> ports = FreePorts.some(4);
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
                this::hasLeader);
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
        return "{\"server\":true,\"bootstrap_expect\":1,\"node_name\":\"consul\",\"data_dir\":\"data\",\"log_level\":\"warn\","
                + "\"bind_addr\":\"127.0.0.1\",\"client_addr\":\"127.0.0.1\",\"disable_update_check\":true,"
                + (access == Access.TLS ? tls : "")
                + (access == Access.TOKENS ? acl : "")
                + "\"session_ttl_min\":\"" + shortestSession.toMillis()
                + "ms\",\"performance\":{\"raft_multiplier\":1},"
                + "\"ports\":{\"dns\":-1,\"grpc\":-1,\"serf_wan\":-1,\"http\":" + port + ",\"https\":"
                + (access == Access.TLS ? tlsPort : -1) + ",\"serf_lan\":" + ports.get(2) + ",\"server\":"
                + ports.get(3) + "}}";
    }

    private void certify() {
        run(List.of("consul", "tls", "ca", "create"), Map.of());
        run(List.of("consul", "tls", "cert", "create", "-server", "-dc", "dc1"), Map.of());
    }

    /** It has elected itself, and a write would go through. */
    private boolean hasLeader() throws IOException {
        String leader = get("/v1/status/leader");
        return leader.contains(":") && !get("/v1/catalog/nodes").equals("[]");
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
