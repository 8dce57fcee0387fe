package dev.incumbent.quorum;

import dev.incumbent.servers.QuorumCluster;

/** The quorums of processes that the tests of one run share, started by the first who asks. */
final class Quorums {
    /** Who restarts, freezes or kills nodes of the troubled quorum holds this lock meanwhile. */
    static final String TROUBLED = "the troubled quorum";

    private Quorums() {}

    /** Both, one after the other: a test that began while six nodes start would wait for its processor and not for its quorum. */
    private static final class Both {
        static final QuorumCluster TROUBLED = started("--snapshot-every", "50");
        static final QuorumCluster CALM = started();
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

    private static QuorumCluster started(String... flags) {
        String[] all = new String[flags.length + 2];
        System.arraycopy(flags, 0, all, 0, flags.length);
        all[flags.length] = "--election-timeout";
        all[flags.length + 1] = ServerMain.PATIENT;
        QuorumCluster cluster = QuorumCluster.start(3, ServerMain.command(), all);
        Runtime.getRuntime().addShutdownHook(new Thread(cluster::close));
        return cluster;
    }
}
