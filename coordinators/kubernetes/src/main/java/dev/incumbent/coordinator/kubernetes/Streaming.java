package dev.incumbent.coordinator.kubernetes;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** What is known of the one stream that is open. Belongs to its {@link LeaseCache}. */
final class Streaming {
    /** How long the server lets a stream run. */
    static final Duration LIFE = Duration.ofMinutes(2);

    private final long id;
    private final long openedAtNanos;
    private boolean hasBegun;
    private OptionalLong heardAtNanos = OptionalLong.empty();

    /** It has shown all changes up to here. */
    private long shown;

    private Optional<Unshown> unshown = Optional.empty();

    Streaming(long id, long position, long nowNanos) {
        this.id = id;
        this.shown = position;
        this.openedAtNanos = nowNanos;
    }

    /** A write of this process that it has yet to show. */
    private record Unshown(long position, long sinceNanos) {}

    long id() {
        return id;
    }

    boolean hasBegun() {
        return hasBegun;
    }

    void begin() {
        hasBegun = true;
    }

    void show(long position, long nowNanos) {
        heardAtNanos = OptionalLong.of(nowNanos);
        shown = Math.max(shown, position);
        unshown = unshown.filter(write -> write.position() > shown);
    }

    /** Has it told anything since then? Then it lives, and nobody needs to ask whether the server does. */
    boolean wasHeardWithin(long lengthNanos, long nowNanos) {
        return heardAtNanos.isPresent() && nowNanos - heardAtNanos.getAsLong() < lengthNanos;
    }

    void expect(long position, long nowNanos) {
        if (unshown.isEmpty() && position > shown) {
            unshown = Optional.of(new Unshown(position, nowNanos));
        }
    }

    /** Has it run for so long that it proves streams to be possible? */
    boolean hasLasted(long periodNanos, long nowNanos) {
        return hasBegun && nowNanos - openedAtNanos >= periodNanos;
    }

    /** It does not show what this process wrote, or outlives its time: nothing will come of it. */
    boolean isDead(long periodNanos, long nowNanos) {
        long longest = 2 * periodNanos;
        boolean isOld = nowNanos - openedAtNanos > LIFE.toNanos() + longest;
        return isOld
                || unshown.filter(write -> nowNanos - write.sinceNanos() > longest)
                        .isPresent();
    }
}
