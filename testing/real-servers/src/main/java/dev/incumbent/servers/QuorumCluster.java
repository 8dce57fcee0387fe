package dev.incumbent.servers;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A quorum of our own servers, each a process. They are started by a command that ends where the verb {@code server} begins, so that tests of the server and
 * of the command line can both use it. Not thread-safe.
 */
public final class QuorumCluster implements AutoCloseable {
    private final List<String> command;
    private final List<String> extra;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Node> leftOut = new ArrayList<>();
    private final Optional<String> token;
    private final TemporaryFolder folder = TemporaryFolder.create("quorum");

    private QuorumCluster(List<String> command, List<String> extra, Optional<String> token) {
        this.command = List.copyOf(command);
        this.extra = List.copyOf(extra);
        this.token = token;
    }

    /** One node: its name, where it listens, its folder, and its process while there is one. */
    public static final class Node {
        private final String name;
        private final Place place;
        private final int port;
        private final int raftPort;
        private final Path data;
        private final Optional<SmallDisk> disk;
        private Optional<ServerProcess> process = Optional.empty();

        private Node(String name, Place place, Ports ports, Path data, Optional<SmallDisk> disk) {
            this.name = name;
            this.place = place;
            this.port = ports.clients();
            this.raftPort = ports.raft();
            this.data = data;
            this.disk = disk;
        }

        public String name() {
            return name;
        }

        /** Where clients speak to it. */
        public int port() {
            return port;
        }

        /** Where the other nodes replicate the log to it. */
        public int raftPort() {
            return raftPort;
        }

        /** Where it keeps what it must not forget. */
        public Path data() {
            return data;
        }

        /** The disk that its folder is on, where it is one of its own. */
        public Optional<SmallDisk> disk() {
            return disk;
        }

        public ServerProcess process() {
            return process.orElseThrow();
        }

        /** Its address, as clients take it. */
        public String hostPort() {
            return place.address() + ":" + port;
        }

        public boolean isRunning() {
            return process.filter(ServerProcess::isRunning).isPresent();
        }

        private String member() {
            return name + "=" + hostPort() + "/" + raftPort;
        }
    }

    private record Ports(int clients, int raft) {}

    /** Starts so many nodes on loopback, each with those flags besides, and waits until they have a leader. */
    public static QuorumCluster start(int size, List<String> command, String... extra) {
        return start(Place.loopback(size), command, extra);
    }

    /** Starts a node at each place, with those flags besides, and waits until they have a leader. */
    public static QuorumCluster start(List<Place> places, List<String> command, String... extra) {
        QuorumCluster cluster = new QuorumCluster(command, List.of(extra), Optional.empty());
        cluster.add(places, Optional::empty);
        return cluster;
    }

    /** Nodes that ask for tokens, as those flags say; that token may read their status. */
    public static QuorumCluster startGuarded(int size, List<String> command, String token, String... extra) {
        QuorumCluster cluster = new QuorumCluster(command, List.of(extra), Optional.of(token));
        cluster.add(Place.loopback(size), Optional::empty);
        return cluster;
    }

    /** As {@link #start(int, List, String...)}, each node on a disk of its own of so many megabytes. */
    public static QuorumCluster startOnSmallDisks(int size, int megabytes, List<String> command, String... extra) {
        QuorumCluster cluster = new QuorumCluster(command, List.of(extra), Optional.empty());
        cluster.add(Place.loopback(size), () -> Optional.of(SmallDisk.ofMegabytes(megabytes)));
        return cluster;
    }

    private void add(List<Place> places, Supplier<Optional<SmallDisk>> disks) {
        List<Integer> ports = FreePorts.some(2 * places.size());
        for (int i = 0; i < places.size(); i++) {
            String name = "n" + (i + 1);
            Optional<SmallDisk> disk = disks.get();
            Path data = disk.map(it -> it.folder(name).path()).orElse(folder.resolve(name));
            nodes.add(new Node(name, places.get(i), new Ports(ports.get(2 * i), ports.get(2 * i + 1)), data, disk));
        }
        startAll();
    }

    public List<Node> nodes() {
        return nodes;
    }

    /** What a client opens. */
    public String uri() {
        return "quorum://" + nodes.stream().map(Node::hostPort).collect(Collectors.joining(","));
    }

    /** Starts those that do not run, and waits until there is a leader. */
    public void startAll() {
        nodes.stream().filter(node -> !node.isRunning()).forEach(this::launch);
        Waiting.until("a leader of the quorum", () -> {
            nodes.forEach(QuorumCluster::refuseDead);
            return !leaderName().isEmpty();
        });
    }

    private static void refuseDead(Node node) {
        if (!node.isRunning()) {
            throw new IllegalStateException(
                    node.name + " ended; its log:\n" + node.process().logTail());
        }
    }

    /**
     * Adds nodes on loopback of those names, which may be those of some that listen elsewhere, and starts each with {@code --join} and the list that follows
     * from it. Answers them.
     */
    public List<Node> join(String... names) {
        List<Node> joining = new ArrayList<>();
        for (String name : names) {
            List<Integer> ports = FreePorts.some(2);
            Path data = folder.resolve(name + "-" + ports.get(0));
            nodes.stream().filter(other -> other.name.equals(name)).toList().forEach(this::leaveOut);
            joining.add(new Node(
                    name, Place.loopback(1).get(0), new Ports(ports.get(0), ports.get(1)), data, Optional.empty()));
        }
        nodes.addAll(joining);
        joining.forEach(node -> launch(node, "--join"));
        return joining;
    }

    /** Counts that node no more; its process goes on. */
    public void leaveOut(Node node) {
        nodes.remove(node);
        leftOut.add(node);
    }

    /** As {@code --member} takes them. */
    public List<String> members() {
        return nodes.stream().map(Node::member).toList();
    }

    /** Starts one, which need not find a majority, with those flags besides; does not wait for its answer. */
    public void launch(Node node, String... flags) {
        launch(node, command, flags);
    }

    /** The same, of another build: by a command of its own that ends where the verb begins. */
    public void launch(Node node, List<String> build, String... flags) {
        List<String> line = new ArrayList<>(build);
        line.addAll(List.of("server", "--name", node.name, "--data", node.data.toString()));
        nodes.forEach(member -> line.addAll(List.of("--member", member.member())));
        // Beyond loopback only in network namespaces of our own.
        line.add("--insecure");
        line.addAll(extra);
        line.addAll(List.of(flags));
        node.process = Optional.of(
                ServerProcess.start(node.name, node.place.command(line), Map.of(), folder.path(), () -> true));
    }

    /** The node that leads, as most nodes know it. */
    public Node leader() {
        String name = leaderName();
        return nodes.stream()
                .filter(node -> node.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no node leads"));
    }

    /** Empty where no node says that it leads. */
    private String leaderName() {
        return nodes.stream()
                .filter(node -> node.isRunning() && status(node).contains("\"leads\":true"))
                .map(Node::name)
                .findFirst()
                .orElse("");
    }

    /** What a node tells of itself; empty where it does not answer. */
    public String status(Node node) {
        try {
            HttpURLConnection asked = (HttpURLConnection) URI.create("http://" + node.hostPort() + "/v1/status")
                    .toURL()
                    .openConnection();
            asked.setConnectTimeout(500);
            asked.setReadTimeout(1_000);
            token.ifPresent(shown -> asked.setRequestProperty("Authorization", "Bearer " + shown));
            try (InputStream in = asked.getInputStream()) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        } catch (IOException noAnswer) {
            return "";
        }
    }

    /** Copies every node's disk into a folder, all as they are at this instant; they stand still meanwhile. */
    public void copyDataTo(Path target) {
        nodes.forEach(node -> node.process().freeze());
        try {
            nodes.forEach(node -> TemporaryFolder.copyWithOwners(node.data, target.resolve(node.name)));
        } finally {
            nodes.forEach(node -> node.process().thaw());
        }
    }

    /** Ends all nodes, starts them on those copies, and waits until there is a leader. */
    public void putBack(Path copies) {
        nodes.forEach(node -> node.process().kill());
        nodes.forEach(node -> TemporaryFolder.putBack(copies.resolve(node.name), node.data));
        startAll();
    }

    @Override
    public void close() {
        leftOut.forEach(node -> node.process.ifPresent(ServerProcess::close));
        nodes.forEach(node -> node.process.ifPresent(ServerProcess::close));
        nodes.forEach(node -> node.disk.ifPresent(SmallDisk::close));
        folder.close();
    }
}
