package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.quorum.Requests.Count;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Quantiles;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.metrics.impl.DefaultTimekeeperImpl;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.metrics.SegmentedRaftLogMetrics;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.thirdparty.com.codahale.metrics.Snapshot;
import org.apache.ratis.thirdparty.com.codahale.metrics.Timer;

/** A node's numbers, as OpenMetrics. Names of elections and candidates are not among them: a reader of metrics learns how many there are. Thread-safe. */
final class Metrics {
    /** The format of {@link #text}. */
    static final String TYPE = OpenMetricsTextFormatWriter.CONTENT_TYPE;

    private static final String PREFIX = "incumbent_quorum_";
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final OpenMetricsTextFormatWriter writer = OpenMetricsTextFormatWriter.create();
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
    String text() throws IOException {
        List<MetricSnapshot> all = new ArrayList<>();
        all.add(gauge("ready", "1 if the node knows a leader and keeps up with it.", health.isReady() ? 1 : 0));
        all.add(gauge("leads", "1 if the node leads the quorum.", replica.isLeading() ? 1 : 0));
        replica.division().ifPresent(info -> all.addAll(raft(info)));
        replica.log().ifPresent(log -> all.addAll(log(log)));
        all.add(gauge("leases", "Leases that live.", table.leaseCount()));
        int elections = Line.fields(table.query(Line.of(Words.ELECTIONS, ""))).size() - 1;
        all.add(gauge("elections", "Elections that have a record or a candidate.", elections));
        all.add(gauge("watches", "Requests for watches that this node holds.", watches.heldCount()));
        all.add(requests());
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        writer.write(text, new MetricSnapshots(all));
        return text.toString(StandardCharsets.UTF_8);
    }

    private static List<MetricSnapshot> raft(DivisionInfo info) {
        return List.of(
                gauge("term", "The term of Raft.", info.getCurrentTerm()),
                gauge(
                        "applied_index",
                        "The last entry of the log that this node has applied.",
                        info.getLastAppliedIndex()));
    }

    private List<MetricSnapshot> log(RaftLog log) {
        List<MetricSnapshot> all = new ArrayList<>();
        long committed = log.getLastCommittedIndex();
        all.add(gauge("committed_index", "The last entry that this node knows as committed.", committed));
        long applied = replica.division().map(DivisionInfo::getLastAppliedIndex).orElse(committed);
        all.add(gauge(
                "lag_entries", "Entries that are committed and not applied here.", Math.max(0, committed - applied)));
        if (log.getRaftLogMetrics() instanceof SegmentedRaftLogMetrics measured
                && measured.getSyncTimer() instanceof DefaultTimekeeperImpl sync) {
            all.add(syncs(sync.getTimer()));
        }
        return all;
    }

    /** Without a sum: the timer keeps recent times alone, and how many there were. */
    private static SummarySnapshot syncs(Timer timer) {
        Snapshot recent = timer.getSnapshot();
        Quantiles.Builder quantiles = Quantiles.builder();
        for (double quantile : List.of(0.5, 0.99)) {
            quantiles.quantile(quantile, recent.getValue(quantile) / NANOS_PER_SECOND);
        }
        return SummarySnapshot.builder()
                .name(PREFIX + "log_sync_seconds")
                .help("Time until the log was on the disk, of recent writes.")
                .dataPoint(SummaryDataPointSnapshot.builder()
                        .quantiles(quantiles.build())
                        .count(timer.getCount())
                        .build())
                .build();
    }

    /** The format adds {@code _total} to the name of each sample. */
    private CounterSnapshot requests() {
        CounterSnapshot.Builder counter = CounterSnapshot.builder()
                .name(PREFIX + "requests")
                .help("Requests by path and status; none: refused or closed before it had one.");
        for (Count one : requests.counts()) {
            counter.dataPoint(CounterDataPointSnapshot.builder()
                    .labels(Labels.of(
                            "route", one.kind().route(), "status", one.kind().status()))
                    .value((double) one.count())
                    .build());
        }
        return counter.build();
    }

    private static GaugeSnapshot gauge(String name, String help, long value) {
        return GaugeSnapshot.builder()
                .name(PREFIX + name)
                .help(help)
                .dataPoint(
                        GaugeDataPointSnapshot.builder().value((double) value).build())
                .build();
    }
}
