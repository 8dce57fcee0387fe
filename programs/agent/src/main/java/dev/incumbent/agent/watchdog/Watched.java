package dev.incumbent.agent.watchdog;

/**
 * One whose work is guarded, or shall be.
 *
 * @param untilNanos until when its leadership is valid, by the last renewal
 * @param guarded the device counts, and fires before that; only then may the work begin
 * @param ends its work must stop: the device is fed no more until it has
 */
public record Watched(WatchKey key, long untilNanos, boolean guarded, boolean ends) {
    Watched until(long until) {
        return new Watched(key, until, guarded, ends);
    }

    Watched guardedNow() {
        return new Watched(key, untilNanos, true, ends);
    }

    Watched ending() {
        return new Watched(key, untilNanos, guarded, true);
    }
}
