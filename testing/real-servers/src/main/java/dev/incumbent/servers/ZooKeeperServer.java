package dev.incumbent.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A ZooKeeper server, alone or a member of an ensemble, as a process of its own. Its jars are those of the test's class path: the test's module depends on
 * {@code curator-test}, and on {@code commons-cli} where it uses ZooKeeper's command line. Not thread-safe.
 */
public final class ZooKeeperServer implements AutoCloseable {
    private static final int PORTS_OF_A_MEMBER = 3;
    private static final String LOGIN_MODULE = "org.apache.zookeeper.server.auth.DigestLoginModule";

    private final TemporaryFolder folder;
    private final ServerProcess process;
    private final Member member;

    private ZooKeeperServer(Member member, String classPath, List<String> settings, TemporaryFolder folder) {
        this.folder = folder;
        this.member = member;
        List<String> lines = new ArrayList<>(List.of(
                "dataDir=" + folder.resolve("data"),
                "clientPort=" + member.port,
                "clientPortAddress=" + member.place.address(),
                "maxClientCnxns=0",
                "initLimit=20",
                "syncLimit=5",
                "admin.enableServer=false",
                "4lw.commands.whitelist=srvr"));
        lines.addAll(settings);
        write("zoo.cfg", String.join("\n", lines) + "\n");
        write("data/myid", Integer.toString(member.id));
        process = ServerProcess.start(
                "zookeeper-" + member.id,
                member.place.command(command(classPath)),
                Map.of(),
                folder.path(),
                this::serves);
    }

    /** Its number, where it runs, and where clients reach it. */
    private record Member(int id, Place place, int port) {}

    /** Starts one that stands alone. */
    public static ZooKeeperServer start(Duration tick) {
        return startIn(TemporaryFolder.create("zookeeper"), tick);
    }

    /** Starts one that also takes the users of SASL's DIGEST-MD5 that are named, each with {@code password}. */
    public static ZooKeeperServer startWithSasl(Duration tick, String password, String... users) {
        TemporaryFolder folder = TemporaryFolder.create("zookeeper");
        StringBuilder login = new StringBuilder("Server {\n  " + LOGIN_MODULE + " required");
        for (String user : users) {
            login.append("\n  user_")
                    .append(user)
                    .append("=\"")
                    .append(password)
                    .append('"');
        }
        write(folder, "jaas.conf", login + ";\n};\n");
        Member alone = new Member(1, Place.LOOPBACK, FreePorts.one());
        List<String> settings = List.of(
                "tickTime=" + tick.toMillis(),
                "authProvider.sasl=org.apache.zookeeper.server.auth.SASLAuthenticationProvider");
        return new ZooKeeperServer(alone, ClassPath.text(), settings, folder);
    }

    /** Starts one that also speaks TLS, with that certificate and at that port. The test's class path has Netty. */
    public static ZooKeeperServer startWithTls(Duration tick, ServerCertificate certificate, int securePort) {
        TemporaryFolder folder = TemporaryFolder.create("zookeeper");
        write(folder, "own.pem", text(certificate.key()) + text(certificate.file()));
        Member alone = new Member(1, Place.LOOPBACK, FreePorts.one());
        List<String> settings = List.of(
                "tickTime=" + tick.toMillis(),
                "secureClientPort=" + securePort,
                "secureClientPortAddress=" + Place.LOOPBACK.address(),
                "serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory",
                "ssl.keyStore.location=" + folder.resolve("own.pem"),
                "ssl.trustStore.location=" + certificate.file(),
                "ssl.clientAuth=none");
        return new ZooKeeperServer(alone, ClassPath.text(), settings, folder);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts one that stands alone, on a copy of another's data. */
    public static ZooKeeperServer startOn(Path data, Duration tick) {
        TemporaryFolder folder = TemporaryFolder.create("zookeeper");
        TemporaryFolder.copy(data, folder.resolve("data"));
        return startIn(folder, tick);
    }

    /** Starts one that stands alone and keeps all in that folder, which goes with it. */
    public static ZooKeeperServer startIn(TemporaryFolder folder, Duration tick) {
        Member alone = new Member(1, Place.LOOPBACK, FreePorts.one());
        return new ZooKeeperServer(alone, ClassPath.text(), List.of("tickTime=" + tick.toMillis()), folder);
    }

    /** Starts an ensemble on loopback, and waits until all its members serve. */
    public static List<ZooKeeperServer> ensemble(int members, Duration tick) {
        return ensemble(Place.loopback(members), tick);
    }

    /** Starts a member at each place, and waits until all of them serve. */
    public static List<ZooKeeperServer> ensemble(List<Place> places, Duration tick) {
        int members = places.size();
        List<Integer> ports = FreePorts.some(members * PORTS_OF_A_MEMBER);
        List<String> settings = new ArrayList<>(List.of("tickTime=" + tick.toMillis()));
        IntStream.range(0, members)
                .mapToObj(i -> "server." + (i + 1) + "=" + places.get(i).address() + ":" + ports.get(members + i) + ":"
                        + ports.get(2 * members + i))
                .forEach(settings::add);
        String classPath = ClassPath.text();
        // A member serves only once there is a majority, so they start side by side.
        return IntStream.range(0, members)
                .parallel()
                .mapToObj(i -> new ZooKeeperServer(
                        new Member(i + 1, places.get(i), ports.get(i)),
                        classPath,
                        settings,
                        TemporaryFolder.create("zookeeper")))
                .toList();
    }

    private List<String> command(String classPath) {
        Path login = folder.resolve("jaas.conf");
        List<String> command = new ArrayList<>(List.of(
                java(),
                "-Xmx192m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                // What is written survives the death of the process; these tests do not cut the power.
                "-Dzookeeper.forceSync=no",
                // Logs of 64 MB in advance would have to be copied for a backup.
                "-Dzookeeper.preAllocSize=256"));
        if (Files.exists(login)) {
            command.add("-Djava.security.auth.login.config=" + login);
        }
        command.addAll(List.of(
                "-cp",
                classPath,
                "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                folder.resolve("zoo.cfg").toString()));
        return command;
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private boolean serves() throws IOException {
        return status().contains("Mode: ");
    }

    /** Does this member lead its ensemble? */
    public boolean leads() {
        try {
            return status().contains("Mode: leader");
        } catch (IOException unanswered) {
            return false;
        }
    }

    /** Does it serve, leading or following? */
    public boolean takesPart() {
        try {
            return serves();
        } catch (IOException unanswered) {
            return false;
        }
    }

    private String status() throws IOException {
        try (Socket socket = new Socket(member.place.address(), member.port)) {
            socket.setSoTimeout(2_000);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    public int port() {
        return member.port;
    }

    /** Its address, as clients take it. */
    public String hostPort() {
        return member.place.address() + ":" + member.port;
    }

    public ServerProcess process() {
        return process;
    }

    /** Types those lines into ZooKeeper's own command line, as a person would into {@code zkCli.sh}, and tells what it printed. */
    public String zkCli(String... lines) {
        TemporaryFolder typed = TemporaryFolder.create("zkcli");
        try {
            write(typed, "lines", String.join("\n", lines) + "\nquit\n");
            return Command.run(
                    List.of(
                            "sh",
                            "-c",
                            "exec \"$@\" < \"$0\"",
                            typed.resolve("lines").toString(),
                            java(),
                            "-cp",
                            ClassPath.text(),
                            "org.apache.zookeeper.ZooKeeperMain",
                            "-server",
                            hostPort()),
                    Map.of());
        } finally {
            typed.close();
        }
    }

    /** Copies its data as it is at this instant; it stands still meanwhile. */
    public void copyDataTo(Path target) {
        process.freeze();
        try {
            TemporaryFolder.copy(folder.resolve("data"), target);
        } finally {
            process.thaw();
        }
    }

    /** Ends it and starts it again on that copy of its data, as it was. */
    public void putBack(Path data) {
        process.kill();
        new TemporaryFolder(folder.resolve("data")).close();
        TemporaryFolder.copy(data, folder.resolve("data"));
        process.startAgain();
    }

    /** Kills it and starts it again on its data, with those lines more in its configuration; the last one of a name counts. */
    public void startAgainWith(String... settings) {
        process.kill();
        try {
            Files.writeString(folder.resolve("zoo.cfg"), String.join("\n", settings) + "\n", StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        process.startAgain();
    }

    private void write(String name, String text) {
        write(folder, name, text);
    }

    private static void write(TemporaryFolder folder, String name, String text) {
        try {
            Path file = folder.resolve(name);
            Files.createDirectories(file.getParent());
            if (!Files.exists(file)) {
                Files.writeString(file, text);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.close();
        folder.close();
    }
}
