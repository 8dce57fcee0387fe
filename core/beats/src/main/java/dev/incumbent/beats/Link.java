package dev.incumbent.beats;

/**
 * What one process knows of another one that it is, or was, connected with.
 *
 * @param connection the number of the connection
 * @param open it has not ended
 * @param dialled by this process
 * @param told what the other one announced last
 */
record Link(long connection, Peer peer, boolean open, boolean dialled, Heard heard, Announcement told, Sent sent) {
    /**
     * How the other one was heard.
     *
     * @param sequence of its last beat
     * @param atNanos when its last beat arrived
     * @param deviationNanos by how much its beats come too early or too late, smoothed as in RFC 6298
     */
    record Heard(long sequence, long atNanos, long deviationNanos) {
        private static final int SMOOTHING = 8;

        /** A beat that comes in its turn; how late it is counts only where this process has listened since another one. */
        Heard beat(long next, long now, Rhythm rhythm, boolean listened) {
            long off =
                    Math.min(Math.abs(now - atNanos - rhythm.beatNanos()), rhythm.silentBeats() * rhythm.beatNanos());
            long deviation = listened ? deviationNanos + (off - deviationNanos) / SMOOTHING : deviationNanos;
            return new Heard(next, now, deviation);
        }
    }

    /**
     * What was sent to the other one.
     *
     * @param sequence of the last beat
     * @param last the last announcement, which the beats name
     * @param acknowledged it is known there
     */
    record Sent(long sequence, Announcement last, boolean acknowledged) {
        static final Sent NOTHING = new Sent(0, Announcement.NOTHING, true);
    }

    static Link opened(long connection, Peer peer, boolean dialled, long now) {
        return new Link(connection, peer, true, dialled, new Heard(0, now, 0), Announcement.NOTHING, Sent.NOTHING);
    }

    boolean leads() {
        return !told.terms().isEmpty();
    }

    Link ended() {
        return new Link(connection, peer, false, dialled, heard, told, sent);
    }

    Link heard(Heard next) {
        return new Link(connection, peer, open, dialled, next, told, sent);
    }

    Link told(Announcement next) {
        return new Link(connection, peer, open, dialled, heard, next, sent);
    }

    Link sent(Sent next) {
        return new Link(connection, peer, open, dialled, heard, told, next);
    }
}
