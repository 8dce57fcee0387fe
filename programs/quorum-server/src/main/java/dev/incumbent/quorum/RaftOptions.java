package dev.incumbent.quorum;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** How Ratis is set, for a small heap, small entries, and leases of seconds. What its defaults would do is said beside each. */
final class RaftOptions {
    private static final int RETAINED_SNAPSHOTS = 2;

    /** As soon as it is back, a node that was gone is sent what it missed; by default it waits for five seconds once it was gone for twenty. */
    private static final String APPENDS_AGAIN = "1ms,10, 250ms,1000000";

    /** How long a new disk may be silent before its change of the membership is given up; less than whoever asks for it waits. */
    private static final long STAGING_MILLIS = 20_000;

    /** A node that stood still is as good afterwards as one that was cut off for so long. */
    private static final TimeDuration NO_PAUSE_IS_TOO_LONG = TimeDuration.valueOf(36_500, TimeUnit.DAYS);

    private RaftOptions() {}

    /** What is chosen by who starts the node. */
    record Choices(Duration electionTimeout, long snapshotEvery, Optional<Certificates> tls) {}

    /** Each node shows its certificate to the other and checks the other's, on every connection, by what the files hold then. */
    static Parameters parameters(Choices choices, RaftDoor door) {
        Parameters parameters = new Parameters();
        GrpcConfigKeys.Server.setServicesCustomizer(parameters, door);
        choices.tls()
                .ifPresent(files -> GrpcConfigKeys.TLS.setConf(
                        parameters, new GrpcTlsConfig(files.identity(), files.trust(), true)));
        return parameters;
    }

    static RaftProperties of(Path folder, Member self, Choices choices) {
        RaftProperties options = new RaftProperties();
        RaftServerConfigKeys.setStorageDir(options, List.of(folder.toFile()));
        GrpcConfigKeys.Server.setHost(options, self.host()); // else every interface
        GrpcConfigKeys.Server.setPort(options, self.raftPort());
        GrpcConfigKeys.Client.setPort(options, self.raftPort());
        GrpcConfigKeys.Admin.setPort(options, self.raftPort());
        timing(options, choices.electionTimeout().toMillis());
        log(options);
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(options, true); // else never
        RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(options, choices.snapshotEvery());
        RaftServerConfigKeys.Snapshot.setRetentionFileNum(options, RETAINED_SNAPSHOTS); // else all
        return options;
    }

    private static void timing(RaftProperties options, long least) {
        RaftServerConfigKeys.Rpc.setTimeoutMin(options, millis(least));
        RaftServerConfigKeys.Rpc.setTimeoutMax(options, millis(2 * least));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(options, millis(least));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(options, millis(2 * least));
        RaftServerConfigKeys.LeaderElection.setPreVote(options, true);
        RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(options, millis(least)); // else 10 s
        RaftServerConfigKeys.setCloseThreshold(options, NO_PAUSE_IS_TOO_LONG); // else 60 s, then it takes part no more
        RaftServerConfigKeys.setStagingTimeout(options, millis(STAGING_MILLIS)); // else six election timeouts
        RaftServerConfigKeys.Read.setOption(options, RaftServerConfigKeys.Read.Option.LINEARIZABLE); // else stale
        RaftServerConfigKeys.Read.setTimeout(options, millis(2_000));
        RaftServerConfigKeys.RetryCache.setExpiryTime(options, millis(5_000)); // nothing is ever sent twice
    }

    private static void log(RaftProperties options) {
        // The entries of the open segment, and of two closed ones, stay in memory.
        RaftServerConfigKeys.Log.setSegmentSizeMax(options, SizeInBytes.valueOf("1MB")); // else 32 MB
        RaftServerConfigKeys.Log.setPreallocatedSize(options, SizeInBytes.valueOf("1MB"));
        RaftServerConfigKeys.Log.setSegmentCacheNumMax(options, 2); // else six
        RaftServerConfigKeys.Log.setSegmentCacheSizeMax(options, SizeInBytes.valueOf("2MB"));
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(options, true); // else a member that is gone keeps it all
        RaftServerConfigKeys.Log.Appender.setRetryPolicy(options, APPENDS_AGAIN);
        RaftServerConfigKeys.Write.setByteLimit(options, SizeInBytes.valueOf("8MB"));
    }

    private static TimeDuration millis(long count) {
        return TimeDuration.valueOf(count, TimeUnit.MILLISECONDS);
    }
}
