package dev.incumbent.beats;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Sorted;
import java.util.Map;
import java.util.Optional;

/**
 * All that one process knows of those it is connected with. Immutable.
 *
 * @param own what it tells of itself
 * @param leaders those that it wants to hear, and their addresses
 * @param links by the process at the other end, also of connections that have ended
 * @param dials connections that are wanted and not there
 * @param doubts leaders that are silent, or suspected
 */
public record BeatState(
        Announcement own,
        Map<CandidateId, String> leaders,
        Map<CandidateId, Link> links,
        Map<CandidateId, Dialling> dials,
        Map<CandidateId, Doubt> doubts,
        Ear ear) {
    /** A process without connections. */
    public static final BeatState START =
            new BeatState(Announcement.NOTHING, Map.of(), Map.of(), Map.of(), Map.of(), Ear.NEW);

    /**
     * This process as a listener.
     *
     * @param readAtNanos when it last read its connections
     * @param listensSinceNanos since when it has read them at least every other beat
     * @param beatsAtNanos when its next beat is due
     * @param patience how many times as long as usual a silence is
     * @param mistakenAtNanos when it was last mistaken
     */
    record Ear(long readAtNanos, long listensSinceNanos, long beatsAtNanos, int patience, long mistakenAtNanos) {
        static final Ear NEW = new Ear(Long.MIN_VALUE / 2, Long.MIN_VALUE / 2, Long.MIN_VALUE, 1, Long.MIN_VALUE / 2);

        Ear read(long at, long since) {
            return new Ear(at, since, beatsAtNanos, patience, mistakenAtNanos);
        }

        Ear beatsAt(long next) {
            return new Ear(readAtNanos, listensSinceNanos, next, patience, mistakenAtNanos);
        }

        Ear patience(int next, long now) {
            return new Ear(readAtNanos, listensSinceNanos, beatsAtNanos, next, now);
        }
    }

    /**
     * A connection that is wanted.
     *
     * @param underWay it is being made
     * @param notBeforeNanos when it may be tried again
     */
    record Dialling(boolean underWay, long notBeforeNanos, int failures) {
        static final Dialling NOW = at(Long.MIN_VALUE);

        static Dialling at(long nanos) {
            return new Dialling(false, nanos, 0);
        }
    }

    /**
     * A leader that may be gone.
     *
     * @param askedAtNanos when the other listeners were last asked
     * @param votes who has said that it is silent for them, too, and when that was asked
     * @param suspectedAtNanos when it was suspected, if it was
     */
    record Doubt(long askedAtNanos, Map<CandidateId, Long> votes, Optional<Long> suspectedAtNanos) {
        static final Doubt NONE = new Doubt(Long.MIN_VALUE / 2, Map.of(), Optional.empty());

        Doubt {
            votes = Sorted.copyOf(votes);
        }
    }

    public BeatState {
        leaders = Sorted.copyOf(leaders);
        links = Sorted.copyOf(links);
        dials = Sorted.copyOf(dials);
        doubts = Sorted.copyOf(doubts);
    }
}
