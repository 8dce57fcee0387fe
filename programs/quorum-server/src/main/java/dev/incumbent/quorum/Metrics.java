package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.quorum.Requests.Count;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.metrics.impl.DefaultTimekeeperImpl;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.metrics.SegmentedRaftLogMetrics;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.thirdparty.com.codahale.metrics.Snapshot;
import org.apache.ratis.thirdparty.com.codahale.metrics.Timer;

/** A node's numbers in the text format of Prometheus, 0.0.4. Names of elections and candidates are not among them: a reader of metrics learns how many there are. */
final class Metrics {
    private static final String PREFIX = "incumbent_quorum_";
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Replica replica;
    private final SharedTable table;
    private final Watches watches;
    private final Health health;
    private final Requests requests;

    Metrics(Replica replica, SharedTable table, Watches watches, Health health, Requests requests) {
        this.replica = replica;
        this.table = table;
        this.watches = watches;
        this.health = health;
        this.requests = requests;
    }

    /** All numbers as they are now. */
    String text() {
        StringBuilder text = new StringBuilder(4_096);
        gauge(text, "ready", "1 if the node knows a leader and keeps up with it.", health.isReady() ? 1 : 0);
        gauge(text, "leads", "1 if the node leads the quorum.", replica.isLeading() ? 1 : 0);
        replica.division().ifPresent(info -> raft(text, info));
        replica.log().ifPresent(log -> log(text, log));
        gauge(text, "leases", "Leases that live.", table.leaseCount());
        int elections = Line.fields(table.query(Line.of(Words.ELECTIONS, ""))).size() - 1;
        gauge(text, "elections", "Elections that have a record or a candidate.", elections);
        gauge(text, "watches", "Requests for watches that this node holds.", watches.heldCount());
        head(
                text,
                "requests_total",
                "counter",
                "Requests by path and status; none: refused or closed before it had one.");
        for (Count one : requests.counts()) {
            String labels = "{route=\"" + one.kind().route() + "\",status=\""
                    + one.kind().status() + "\"}";
            line(text, "requests_total" + labels, Long.toString(one.count()));
        }
        return text.toString();
    }

    private static void raft(StringBuilder text, DivisionInfo info) {
        gauge(text, "term", "The term of Raft.", info.getCurrentTerm());
        gauge(
                text,
                "applied_index",
                "The last entry of the log that this node has applied.",
                info.getLastAppliedIndex());
    }

    private void log(StringBuilder text, RaftLog log) {
        long committed = log.getLastCommittedIndex();
        gauge(text, "committed_index", "The last entry that this node knows as committed.", committed);
        long applied = replica.division().map(DivisionInfo::getLastAppliedIndex).orElse(committed);
        gauge(
                text,
                "lag_entries",
                "Entries that are committed and not applied here.",
                Math.max(0, committed - applied));
        if (log.getRaftLogMetrics() instanceof SegmentedRaftLogMetrics measured
                && measured.getSyncTimer() instanceof DefaultTimekeeperImpl sync) {
            syncs(text, sync.getTimer());
        }
    }

    private static void syncs(StringBuilder text, Timer timer) {
        head(text, "log_sync_seconds", "summary", "Time until the log was on the disk, of recent writes.");
        Snapshot recent = timer.getSnapshot();
        for (double quantile : List.of(0.5, 0.99)) {
            String seconds = Double.toString(recent.getValue(quantile) / NANOS_PER_SECOND);
            line(text, "log_sync_seconds{quantile=\"" + quantile + "\"}", seconds);
        }
        line(text, "log_sync_seconds_count", Long.toString(timer.getCount()));
    }

    private static void gauge(StringBuilder text, String name, String help, long value) {
        head(text, name, "gauge", help);
        line(text, name, Long.toString(value));
    }

    private static void head(StringBuilder text, String name, String type, String help) {
        text.append("# HELP ")
                .append(PREFIX)
                .append(name)
                .append(' ')
                .append(help)
                .append('\n');
        text.append("# TYPE ")
                .append(PREFIX)
                .append(name)
                .append(' ')
                .append(type)
                .append('\n');
    }

    private static void line(StringBuilder text, String sample, String value) {
        text.append(PREFIX).append(sample).append(' ').append(value).append('\n');
    }
}
