package dev.incumbent.servers;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One etcd member: alone on free ports, or one of an {@link EtcdCluster}. Its data stay in its folder, so that it may be killed and started again. Not
 * thread-safe.
 */
public final class EtcdServer implements AutoCloseable {
    /** Whom a server that demands logins lets do everything, with its password, as {@code etcdctl --user} takes both. */
    public static final String ROOT = "root:toor";

    private static final int PATIENCE_MILLIS = 2_000;

    private final TemporaryFolder folder;
    private final Member member;
    private final boolean isSecure;
    private final ServerProcess process;
    private boolean demandsLogins;

    private EtcdServer(TemporaryFolder folder, Member member, boolean isSecure, ServerProcess process) {
        this.folder = folder;
        this.member = member;
        this.isSecure = isSecure;
        this.process = process;
    }

    /** A server of one member, its data in memory: it flushes each write on its own, which a busy disk makes seconds of. These tests do not cut the power. */
    public static EtcdServer start(String... moreOptions) {
        return startIn(TemporaryFolder.createInMemory("etcd"), moreOptions);
    }

    /** A server of one member, its data on the disk, for who measures. */
    public static EtcdServer startOnDisk() {
        return startIn(TemporaryFolder.create("etcd"));
    }

    private static EtcdServer startIn(TemporaryFolder folder, String... moreOptions) {
        List<Integer> ports = FreePorts.some(2);
        return start(folder, ports.get(0), ports.get(1), List.of(moreOptions));
    }

    /** A server of one member on what {@code etcdctl snapshot restore} makes of a snapshot. */
    public static EtcdServer restored(Path snapshot, int clientPort, int peerPort) {
        TemporaryFolder folder = TemporaryFolder.createInMemory("etcd-restored");
        List<String> line = new ArrayList<>(List.of("etcdctl", "snapshot", "restore", snapshot.toString()));
        line.addAll(List.of("--data-dir", folder.resolve("data").toString(), "--name", "alone"));
        line.addAll(List.of("--initial-cluster", "alone=http://127.0.0.1:" + peerPort));
        line.addAll(List.of("--initial-advertise-peer-urls", "http://127.0.0.1:" + peerPort));
        Command.run(line, Map.of("ETCDCTL_API", "3"));
        return start(folder, clientPort, peerPort, List.of());
    }

    private static EtcdServer start(TemporaryFolder folder, int clientPort, int peerPort, List<String> more) {
        Member member = new Member("alone", Place.LOOPBACK, clientPort, peerPort);
        boolean secure = more.contains("--cert-file");
        ServerProcess process = ServerProcess.start(
                "etcd-alone",
                member.command(folder.resolve("data"), List.of(member), more, secure),
                Map.of(),
                folder.path(),
                () -> secure ? isListening(member.place, clientPort) : isHealthy(member));
        return new EtcdServer(folder, member, secure, process);
    }

    /** A member of a cluster, which answers only once most members run: it is waited for elsewhere. */
    static EtcdServer startMember(Member member, List<Member> all, List<String> more) {
        return startMember(TemporaryFolder.create("etcd-" + member.name), member, all, more);
    }

    /** The same member once more, with what is in its folder; it must have ended. */
    EtcdServer anew(List<Member> all, List<String> more) {
        return startMember(folder, member, all, more);
    }

    private static EtcdServer startMember(TemporaryFolder folder, Member member, List<Member> all, List<String> more) {
        ServerProcess process = ServerProcess.start(
                "etcd-" + member.name,
                member.command(folder.resolve("data"), all, more, false),
                Map.of(),
                folder.path(),
                () -> isListening(member.place, member.peerPort));
        return new EtcdServer(folder, member, false, process);
    }

    Member member() {
        return member;
    }

    /** Kills it, and empties its disk. */
    void lose() {
        process.kill();
        new TemporaryFolder(folder.resolve("data")).close();
    }

    /** What it is called, and where it listens. */
    record Member(String name, Place place, int clientPort, int peerPort) {
        String host() {
            return place.address();
        }

        String peerUrl() {
            return "http://" + host() + ":" + peerPort;
        }

        /** With {@code --pre-vote}, as etcd 3.5 and later have it: without it a member that lags may put off an election again and again. */
        List<String> command(Path data, List<Member> all, List<String> more, boolean secure) {
            String scheme = secure ? "https" : "http";
            List<String> peers = all.stream()
                    .map(one -> one.name + "=http://" + one.host() + ":" + one.peerPort)
                    .toList();
            List<String> line = new ArrayList<>(List.of("etcd", "--name", name, "--data-dir", data.toString()));
            line.addAll(List.of("--listen-client-urls", scheme + "://" + host() + ":" + clientPort));
            line.addAll(List.of("--advertise-client-urls", scheme + "://" + host() + ":" + clientPort));
            line.addAll(List.of("--listen-peer-urls", "http://" + host() + ":" + peerPort));
            line.addAll(List.of("--initial-advertise-peer-urls", "http://" + host() + ":" + peerPort));
            line.addAll(List.of("--initial-cluster", String.join(",", peers), "--logger", "zap", "--pre-vote"));
            line.addAll(more);
            return place.command(line);
        }
    }

    /** Does it answer, with a leader? */
    public boolean isHealthy() throws IOException {
        return isHealthy(member);
    }

    private static boolean isHealthy(Member member) throws IOException {
        HttpURLConnection asked =
                (HttpURLConnection) URI.create("http://" + member.host() + ":" + member.clientPort + "/health")
                        .toURL()
                        .openConnection();
        asked.setConnectTimeout(PATIENCE_MILLIS);
        asked.setReadTimeout(PATIENCE_MILLIS);
        try {
            return asked.getResponseCode() == 200;
        } finally {
            asked.disconnect();
        }
    }

    private static boolean isListening(Place place, int port) throws IOException {
        try (Socket socket = new Socket(place.address(), port)) {
            return socket.isConnected();
        }
    }

    public int port() {
        return member.clientPort;
    }

    /** Where other members reach it. */
    public int peerPort() {
        return member.peerPort;
    }

    /** Its address, as clients take it. */
    public String hostPort() {
        return member.host() + ":" + member.clientPort;
    }

    /** Its client URL, such as {@code http://127.0.0.1:PORT}. */
    public String clientUrl() {
        return (isSecure ? "https" : "http") + "://" + hostPort();
    }

    /** What {@code --at} takes. */
    public String uri(String prefix) {
        return "etcd://" + hostPort() + "/" + prefix;
    }

    public ServerProcess process() {
        return process;
    }

    public Path folder() {
        return folder.path();
    }

    /** Stops it where it stands: it holds its connections and does not answer. */
    public void freeze() {
        process.freeze();
    }

    public void thaw() {
        process.thaw();
    }

    public void kill() {
        process.kill();
    }

    /** Starts it again on its data, and waits until it answers. It must have ended. */
    public void startAgain() {
        process.startAgain();
    }

    /** Asks etcdctl, and tells what it printed; fails with its words where it failed. */
    public String etcdctl(String... words) {
        List<String> line = new ArrayList<>(List.of("etcdctl", "--endpoints", clientUrl()));
        line.addAll(List.of(words));
        return Command.run(
                line, demandsLogins ? Map.of("ETCDCTL_API", "3", "ETCDCTL_USER", ROOT) : Map.of("ETCDCTL_API", "3"));
    }

    /** A new user who has these rights alone, each as {@code etcdctl role grant-permission ROLE} takes it: {@code --prefix=true read /app/}. */
    public void addUser(String name, String password, String... rights) {
        etcdctl("user", "add", name + ":" + password);
        etcdctl("role", "add", "of-" + name);
        for (String right : rights) {
            List<String> words = new ArrayList<>(List.of("role", "grant-permission", "of-" + name));
            words.addAll(List.of(right.split(" ")));
            etcdctl(words.toArray(String[]::new));
        }
        etcdctl("user", "grant-role", name, "of-" + name);
    }

    /** From now on only its users may ask it; {@link #etcdctl} asks as {@link #ROOT}. */
    public void demandLogins() {
        etcdctl("user", "add", ROOT);
        etcdctl("user", "grant-role", "root", "root");
        etcdctl("auth", "enable");
        demandsLogins = true;
    }

    @Override
    public void close() {
        process.close();
        folder.close();
    }
}
