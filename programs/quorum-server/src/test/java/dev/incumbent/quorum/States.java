package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.servers.QuorumCluster;
import dev.incumbent.servers.QuorumCluster.Node;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the members of a cluster have in their tables, each asked while it leads, which it answers from its own. */
final class States {
    private static final Pattern APPLIED = Pattern.compile("\"leader\":\"n\\d\",.*\"applied\":(\\d+)");

    private final QuorumCluster cluster;

    States(QuorumCluster cluster) {
        this.cluster = cluster;
    }

    /** One of each node, once nothing has changed for so long: no lease is left that could end meanwhile. */
    List<String> afterQuiet(Duration quiet) {
        awaitQuiet(quiet);
        return cluster.nodes().stream().map(this::state).toList();
    }

    /** The last entry that a node has applied; -1 where it does not answer, or knows no leader. */
    long applied(Node node) {
        Matcher status = APPLIED.matcher(cluster.status(node));
        return status.find() ? Long.parseLong(status.group(1)) : -1;
    }

    /** Waits until that node has applied what the others have applied now. */
    void awaitCaughtUp(Node node) {
        long behind = cluster.nodes().stream().mapToLong(this::applied).max().orElse(0);
        Waiting.until(node.name() + " with the others", () -> applied(node) >= behind);
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

    private void awaitQuiet(Duration quiet) {
        AtomicReference<List<Long>> positions = new AtomicReference<>(List.of());
        try (SystemTimeline time = new SystemTimeline()) {
            AtomicLong since = new AtomicLong(time.nanos());
            Waiting.until("equal positions that stay", () -> {
                List<Long> now = cluster.nodes().stream().map(this::applied).toList();
                if (!now.equals(positions.getAndSet(now))
                        || now.stream().distinct().count() > 1) {
                    since.set(time.nanos());
                }
                return time.nanos() - since.get() > quiet.toNanos();
            });
        }
    }
}
