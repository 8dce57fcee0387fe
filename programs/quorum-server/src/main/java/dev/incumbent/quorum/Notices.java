package dev.incumbent.quorum;

/** What a node is told of its part in the replication, at once, on threads of Ratis's or of the timeline: it must return at once. */
interface Notices {
    /** For who cares about none. */
    Notices NONE = new Notices() {
        @Override
        public void logFailed(Throwable cause) {}

        @Override
        public void ended(String why) {}

        @Override
        public void halted(String why) {}

        @Override
        public void configured(Members now) {}
    };

    /** The log cannot be written: this replica takes nothing more. */
    void logFailed(Throwable cause);

    /** This replica takes no part any more, although nobody told it to end. Told once. */
    void ended(String why);

    /** This replica applies, answers and votes no more: it met what this build does not understand. */
    void halted(String why);

    /** These are the members from a position in the log on. Told again for positions that were applied before, after a start. */
    void configured(Members now);
}
