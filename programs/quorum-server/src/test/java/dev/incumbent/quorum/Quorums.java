package dev.incumbent.quorum;

import dev.incumbent.servers.QuorumCluster;
import dev.incumbent.servers.SmallDisk;

/** The quorums of processes that the tests of one run share, started by the first who asks. */
final class Quorums {
    /** Who restarts, freezes or kills nodes of the troubled quorum holds this lock meanwhile. */
    static final String TROUBLED = "the troubled quorum";

    private static final int MEGABYTES = 48;

    private Quorums() {}

    /** Both, one after the other: a test that began while six nodes start would wait for its processor and not for its quorum. */
    private static final class Both {
        static final QuorumCluster TROUBLED =
                troubled("--snapshot-every", "50", "--election-timeout", ServerMain.PATIENT);
        static final QuorumCluster CALM =
                QuorumCluster.start(3, ServerMain.command(), "--election-timeout", ServerMain.PATIENT);

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(TROUBLED::close));
            Runtime.getRuntime().addShutdownHook(new Thread(CALM::close));
        }

        /** Where disks can be mounted, each node has a small one of its own. */
        private static QuorumCluster troubled(String... flags) {
            return SmallDisk.isPossible()
                    ? QuorumCluster.startOnSmallDisks(3, MEGABYTES, ServerMain.command(), flags)
                    : QuorumCluster.start(3, ServerMain.command(), flags);
        }
    }

    /** Nobody harms its nodes; any number of tests may use it at once. */
    static QuorumCluster calm() {
        return Both.CALM;
    }

    /** All of it runs whenever a test begins. It cuts its log often. */
    static QuorumCluster troubled() {
        Both.TROUBLED.startAll();
        return Both.TROUBLED;
    }
}
