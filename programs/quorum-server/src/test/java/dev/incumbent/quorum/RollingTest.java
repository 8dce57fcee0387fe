package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.quorum.QuorumCoordinatorProvider;
import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.model.Timing;
import dev.incumbent.servers.QuorumCluster;
import dev.incumbent.servers.QuorumCluster.Node;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Three nodes of the last build without levels become nodes of this one, one after the other, under five candidates and a writer; and back, as long as the level
 * has not risen. {@code scripts/accept-rolling} builds the old one and names its launcher.
 */
@Tag("realtime")
@EnabledIfSystemProperty(named = "rolling.old", matches = ".+", disabledReason = "scripts/accept-rolling runs it")
final class RollingTest {
    private static final List<String> OLD = List.of(System.getProperty("rolling.old", ""));
    private static final Timing TIMING = Timing.ofLease(Duration.ofSeconds(12));
    private static final Duration TERM = Duration.ofSeconds(2);
    private static final Duration HELD_BACK = Duration.ofSeconds(8);
    private static final int CANDIDATES = 5;
    private static final Pattern APPLIED = Pattern.compile("\"leader\":\"n\\d\",.*\"applied\":(\\d+)");

    private final SystemTimeline time = new SystemTimeline();
    private final QuorumCluster cluster =
            QuorumCluster.start(3, OLD, "--snapshot-every", "50", "--election-timeout", ServerMain.PATIENT);
    private final String office = "rolling/" + UUID.randomUUID();
    private final List<Candidacy> candidacies = new ArrayList<>();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final AtomicInteger handedOver = new AtomicInteger();
    private final List<String> wrong = new CopyOnWriteArrayList<>();
    private volatile boolean over;

    @AfterEach
    void end() throws Exception {
        over = true;
        for (AutoCloseable one : open) {
            one.close();
        }
        time.close();
        cluster.close();
    }

    @Test
    void aRollingUpgradeLosesNothingAndAfterItTheOldBuildIsRefused() throws Exception {
        Writer writer = new Writer(client());
        for (int i = 1; i <= CANDIDATES; i++) {
            stand("c" + i);
        }
        Thread witness = new Thread(this::watch, "witness");
        witness.start();
        progress("old nodes", writer);
        List<Node> nodes = cluster.nodes();

        become(nodes.get(0), ServerMain.command());
        become(nodes.get(1), ServerMain.command());
        progress("two new nodes", writer);
        stayAtLevelZero(nodes.subList(0, 2));
        become(nodes.get(1), OLD);
        become(nodes.get(0), OLD);
        progress("old nodes again", writer);

        for (Node node : nodes) {
            become(node, ServerMain.command());
        }
        nodes.forEach(node -> Waiting.until("level 1 of " + node.name(), () -> isAtLevelOne(node)));
        say("all nodes are at level 1");
        progress("new nodes", writer);
        refuseTheOldBuild(nodes.get(2));
        progress("after refusals", writer);

        assertThat(writer.end()).as("acknowledged changes that were lost").isEmpty();
        over = true;
        witness.join();
        assertThat(wrong).as("what no two terms may do").isEmpty();
        endInOneState();
    }

    private void refuseTheOldBuild(Node node) {
        node.process().stop();
        cluster.launch(node, OLD);
        Waiting.until("the end of the old build", () -> !node.isRunning());
        assertThat(node.process().logTail())
                .contains("belongs to node n3 at level 1, which needs a newer build, not to n3");
        cluster.launch(node, OLD, "--rejoin");
        Waiting.until("its waiting", () -> node.process().logTail().contains("waits to be taken in"));
        assertThat(Waiting.within(HELD_BACK, () -> node.process().logTail().contains("was taken in")))
                .as("an old build became a voter")
                .isFalse();
        node.process().stop();
        say("the old build was refused, and was not taken in");
        cluster.launch(node, ServerMain.command(), "--rejoin");
        Waiting.until("its coming back", () -> node.process().logTail().contains("was taken in"));
        become(node, ServerMain.command());
    }

    private void stayAtLevelZero(List<Node> upgraded) throws IOException {
        assertThat(Waiting.within(HELD_BACK, () -> upgraded.stream().anyMatch(this::isAtLevelOne)))
                .as("the level rose over an old node")
                .isFalse();
        for (Node node : upgraded) {
            assertThat(cluster.status(node)).contains("\"level\":0,\"supports\":1");
            assertThat(Files.readAllLines(node.data().resolve("marker")).get(0))
                    .startsWith("SELF\t" + node.name() + "\t");
        }
        say("the level is still 0");
    }

    private boolean isAtLevelOne(Node node) {
        return cluster.status(node).contains("\"level\":1");
    }

    /** Stops it in good order, starts it with that build, and waits until it has caught up with the others. */
    private void become(Node node, List<String> build) {
        long behind = cluster.nodes().stream().mapToLong(this::applied).max().orElse(0);
        node.process().stop();
        cluster.launch(node, build);
        Waiting.until(node.name() + " with the others", () -> applied(node) >= behind);
        say(node.name() + " runs the " + (build.equals(OLD) ? "old" : "new") + " build");
    }

    private long applied(Node node) {
        Matcher status = APPLIED.matcher(cluster.status(node));
        return status.find() ? Long.parseLong(status.group(1)) : -1;
    }

    private void progress(String phase, Writer writer) {
        int before = handedOver.get();
        writer.awaitProgress();
        Waiting.until("terms under " + phase, () -> handedOver.get() >= before + 2);
        say(phase + ": " + handedOver + " terms so far");
    }

    private Coordinator client() {
        Coordinator client =
                new QuorumCoordinatorProvider().open(cluster.uri(), time, TIMING.requestTimeout(), Mode.CREATE);
        open.add(client);
        return client;
    }

    private void stand(String name) {
        Elections elections = Elections.over(client())
                .name(name)
                .timing(TIMING)
                .timeline(time)
                .open();
        Candidacy candidacy = elections.election(office).campaign(this::leadAndHandOver);
        candidacies.add(candidacy);
        open.add(0, elections);
        open.add(0, candidacy);
    }

    /** Leads for a while, and resigns. */
    private void leadAndHandOver(Leadership leadership) throws InterruptedException {
        if (!new CountDownLatch(1).await(TERM.toNanos(), TimeUnit.NANOSECONDS) && leadership.holds()) {
            handedOver.incrementAndGet();
        }
    }

    /** Two that hold at one instant, or a token that is not greater than one before. */
    private void watch() {
        long greatest = 0;
        while (!over) {
            List<Leadership> holding = new ArrayList<>();
            candidacies.forEach(
                    one -> one.leadership().filter(Leadership::holds).ifPresent(holding::add));
            for (Leadership first : holding) {
                long token = first.token().value();
                if (token < greatest && first.holds()) {
                    wrong.add("token " + token + " leads after " + greatest);
                }
                greatest = Math.max(greatest, token);
                for (Leadership second : holding) {
                    if (first != second && second.holds() && first.holds()) {
                        wrong.add("two lead at once: " + first.term() + " and " + second.term());
                    }
                }
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    /** Each node is asked while it leads, which it answers from its own table. */
    private void endInOneState() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
        open.clear();
        awaitQuiet();

        List<String> states = cluster.nodes().stream().map(this::state).toList();

        String first = states.get(0);
        assertThat(first).contains(Words.READ + "\t" + office);
        assertThat(states).allSatisfy(state -> assertThat(state).isEqualTo(first));
        say("all members end in one state of " + first.length() + " characters");
    }

    private String state(Node node) {
        Waiting.until("the leadership of " + node.name(), () -> handedOver(node));
        String names = Calling.post(node, Line.of(Words.ELECTIONS, ""));
        List<String> read = new ArrayList<>(Line.fields(names.strip()));
        read.set(0, Words.READ);
        List<String> standing = new ArrayList<>(read);
        standing.set(0, Words.CANDIDATES);
        return names + Calling.post(node, Line.of(read)) + Calling.post(node, Line.of(standing));
    }

    private boolean handedOver(Node to) {
        cluster.nodes().stream()
                .filter(node -> node != to && leads(node))
                .forEach(node -> Calling.post(node.port(), "/v1/transfer/" + to.name(), "", Optional.empty()));
        return leads(to);
    }

    private boolean leads(Node node) {
        return cluster.status(node).contains("\"leads\":true");
    }

    /** No lease is left that could end while the nodes do, and all have applied the same. */
    private void awaitQuiet() {
        AtomicReference<List<Long>> positions = new AtomicReference<>(List.of());
        AtomicLong since = new AtomicLong(time.nanos());
        Waiting.until("equal positions that stay", () -> {
            List<Long> now = cluster.nodes().stream().map(this::applied).toList();
            if (!now.equals(positions.getAndSet(now)) || now.stream().distinct().count() > 1) {
                since.set(time.nanos());
            }
            return time.nanos() - since.get() > TIMING.lease().multipliedBy(2).toNanos();
        });
    }

    private void say(String what) {
        System.out.println("rolling: " + what);
    }
}
