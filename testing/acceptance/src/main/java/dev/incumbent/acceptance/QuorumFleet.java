package dev.incumbent.acceptance;

import dev.incumbent.quorum.Restoring;
import dev.incumbent.quorum.Saving;
import dev.incumbent.quorum.Snapshot;
import dev.incumbent.servers.QuorumCluster;
import dev.incumbent.servers.QuorumCluster.Node;
import dev.incumbent.servers.SmallDisk;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Our own servers; their operators use {@code incumbent server}. */
final class QuorumFleet implements Fleet {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MEGABYTES = 48;
    private static final int FULL = 1;
    /** Logged as any call and then refused: no record bears that nonce. */
    private static final String LONG_CALL = "SWAP\tfiller\tno-such-nonce\tanother\t\t" + "x".repeat(900_000) + "\n";

    private final QuorumCluster cluster;
    private final SystemTimeline time = new SystemTimeline();

    private QuorumFleet(QuorumCluster cluster) {
        this.cluster = cluster;
    }

    /** Where disks can be mounted, each node has a small one of its own. */
    static QuorumFleet start() {
        String[] flags = QuorumEnsemble.PATIENT.toArray(new String[0]);
        return new QuorumFleet(
                SmallDisk.isPossible()
                        ? QuorumCluster.startOnSmallDisks(SIZE, MEGABYTES, QuorumEnsemble.command(), flags)
                        : QuorumCluster.start(SIZE, QuorumEnsemble.command(), flags));
    }

    private Node node(int member) {
        return cluster.nodes().get(member);
    }

    @Override
    public String uri() {
        return cluster.uri();
    }

    @Override
    public int leader() {
        Waiting.until("a leader of the quorum", () -> leaderIfAny().isPresent());
        return leaderIfAny().orElse(0);
    }

    private Optional<Integer> leaderIfAny() {
        return IntStream.range(0, SIZE)
                .filter(i -> node(i).isRunning() && cluster.status(node(i)).contains("\"leads\":true"))
                .boxed()
                .findFirst();
    }

    @Override
    public boolean isWhole() {
        return IntStream.range(0, SIZE).allMatch(i -> node(i).isRunning() && isReady(node(i)));
    }

    private static boolean isReady(Node node) {
        try {
            HttpURLConnection asked = (HttpURLConnection) URI.create("http://" + node.hostPort() + "/health/ready")
                    .toURL()
                    .openConnection();
            asked.setConnectTimeout(500);
            asked.setReadTimeout(1_000);
            return asked.getResponseCode() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    @Override
    public void freeze(int member) {
        node(member).process().freeze();
    }

    @Override
    public void thaw(int member) {
        node(member).process().thaw();
    }

    @Override
    public void lose(int member) {
        node(member).process().kill();
        empty(node(member).data());
    }

    @Override
    public Optional<String> refusalOfAnEmptyDisk(int member) {
        cluster.launch(node(member));
        Waiting.until("the refusal of an empty disk", () -> !node(member).isRunning());
        return Optional.of(node(member).process().logTail());
    }

    @Override
    public void replace(int member) {
        Node node = node(member);
        cluster.launch(node, "--rejoin");
        Waiting.until("its coming back", () -> node.process().logTail().contains("was taken in"));
        node.process().stop();
        cluster.launch(node);
        Waiting.until("three nodes that are ready", this::isWhole);
    }

    @Override
    public void save(Path file) {
        Verb.run(0, "server", "snapshot", "save", file.toString(), "--at", uri());
    }

    @Override
    public void restore(Path file) {
        Verb.run(0, "server", "snapshot", "check", file.toString());
        for (Node node : cluster.nodes()) {
            if (node.isRunning()) {
                node.process().kill();
            }
            empty(node.data());
            Verb.run(
                    0,
                    "server",
                    "restore",
                    file.toString(),
                    "--name",
                    node.name(),
                    "--data",
                    node.data().toString());
        }
        cluster.startAll();
        Waiting.until("three nodes that are ready", this::isWhole);
    }

    @Override
    public long lift() {
        return Restoring.LIFT;
    }

    @Override
    public boolean servesWhenFull() {
        return true;
    }

    /** One node's disk; entries come until its log has used up what it had. */
    @Override
    public String fill() {
        if (node(FULL).disk().isEmpty()) {
            throw new IllegalStateException("a disk of its own for each node needs the rights of root");
        }
        node(FULL).disk().orElseThrow().fill();
        Waiting.until("the end of a node without room", () -> {
            handLongCall();
            return Waiting.within(Duration.ofSeconds(1), () -> !node(FULL).isRunning());
        });
        return node(FULL).process().logTail();
    }

    private void handLongCall() {
        try {
            HttpURLConnection call = (HttpURLConnection) URI.create("http://" + node(0).hostPort() + "/v1/calls")
                    .toURL()
                    .openConnection();
            call.setRequestMethod("POST");
            call.setReadTimeout(2_000);
            call.setDoOutput(true);
            call.getOutputStream().write(LONG_CALL.getBytes(StandardCharsets.UTF_8));
            int unused = call.getResponseCode();
        } catch (IOException anotherNodeEnds) {
            // The next one is handed later.
        }
    }

    @Override
    public void makeRoom() {
        node(FULL).disk().orElseThrow().makeRoom();
        cluster.startAll();
        Waiting.until("three nodes that are ready", this::isWhole);
    }

    private static void empty(Path folder) {
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                if (!file.equals(folder)) {
                    Files.delete(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** By a snapshot of each node, which it answers from its own table. */
    @Override
    public List<String> states() {
        List<String> states = new ArrayList<>();
        for (Node node : cluster.nodes()) {
            try {
                Snapshot copy = Saving.fetch("quorum://" + node.hostPort(), time, PATIENCE);
                boolean isItsOwn = copy.header().node().equals(node.name());
                states.add(isItsOwn ? copy.header().index() + " " + copy.state() : "not told by " + node.name());
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return states;
    }

    @Override
    public void close() {
        time.close();
        cluster.close();
    }
}
