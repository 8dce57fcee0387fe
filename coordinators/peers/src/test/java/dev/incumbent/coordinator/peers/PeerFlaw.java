package dev.incumbent.coordinator.peers;

/** A bug on purpose between a driver and its machine, and the invariant of a {@link PeerWorld} that finds it. */
enum PeerFlaw {
    /** What was persisted is found again. */
    FORGETS_WHAT_IT_PERSISTED(PeerWorld.ONE_MEMBER_A_TERM, 0),
    /** A member whose disk is empty takes no part until the others have told their terms. */
    TAKES_A_WIPED_DISK_FOR_A_NEW_ONE(PeerWorld.ONE_MEMBER_A_TERM, 38),
    /** No wall clock that is set ends a promise. */
    PROMISES_BY_A_CLOCK_THAT_JUMPS(PeerWorld.NO_TASK_UNDER_A_LEASE, 3),
    /** A guard says no once the lease has ended. */
    GUARDS_LONGER_THAN_ITS_LEASE(PeerWorld.NO_TASK_UNDER_A_LEASE, 25),
    /** A leader hands over once its task has returned. */
    SAYS_STOPPED_WHILE_THE_TASK_RUNS(PeerWorld.NO_TASK_UNDER_A_LEASE, 16),
    /** A refused mark is passed by the next term. */
    DEAF_TO_A_REFUSED_MARK(PeerWorld.SOMEBODY_LEADS, 0);

    private final String foundBy;
    private final long lookedForFrom;

    PeerFlaw(String foundBy, long lookedForFrom) {
        this.foundBy = foundBy;
        this.lookedForFrom = lookedForFrom;
    }

    /** The world in which it showed when it was planted: the search begins there. */
    long lookedForFrom() {
        return lookedForFrom;
    }

    String foundBy() {
        return foundBy;
    }
}
