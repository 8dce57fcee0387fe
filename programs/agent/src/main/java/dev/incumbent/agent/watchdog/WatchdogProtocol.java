package dev.incumbent.agent.watchdog;

import dev.incumbent.protocol.Step;
import java.util.OptionalLong;

/**
 * The rules of the watchdog.
 *
 * <ol>
 *   <li>The device counts only while there is somebody whose work may go on, or has not stopped. Once all have stopped, it is stopped.
 *   <li>No work begins before the device counts.
 *   <li>Whenever it is fed, it fires before the leadership ends that is valid the shortest of all.
 *   <li>It is fed only if a renewal has succeeded since it was fed last, or one has stopped whose leadership ended before all others, or to let it fire earlier.
 *   <li>While the work of anybody must stop and has not, it is not fed.
 *   <li>Whose work the device cannot guard is told so, and does not lead.
 * </ol>
 *
 * <p>Pure: no clock, thread or device. It never asks to be woken: only renewals and words of owners change anything.
 */
public final class WatchdogProtocol {
    private WatchdogProtocol() {}

    /** Takes one event. */
    public static Step<WatchdogState, WatchdogEffect> step(WatchdogState state, WatchdogEvent event) {
        WatchdogDraft draft = new WatchdogDraft(state);
        take(draft, event);
        draft.pursue();
        return draft.step();
    }

    private static void take(WatchdogDraft draft, WatchdogEvent event) {
        if (event instanceof WatchdogEvent.Wanted e) {
            draft.add(new Watched(e.key(), e.untilNanos(), false, false));
        } else if (event instanceof WatchdogEvent.Renewed e) {
            draft.renew(e.key(), e.untilNanos());
        } else if (event instanceof WatchdogEvent.Ends e) {
            draft.end(e.key());
        } else if (event instanceof WatchdogEvent.Stopped e) {
            draft.remove(e.key());
        } else if (event instanceof WatchdogEvent.Found e) {
            found(draft, e);
        } else if (event instanceof WatchdogEvent.HolderGone e) {
            draft.gone(e.why());
        } else {
            answered(draft, event);
        }
    }

    private static void answered(WatchdogDraft draft, WatchdogEvent event) {
        draft.asked = false;
        if (event instanceof WatchdogEvent.Counts e) {
            draft.fires(OptionalLong.of(e.firesAtNanos()));
        } else if (event instanceof WatchdogEvent.DeviceStopped) {
            draft.fires(OptionalLong.empty());
        } else if (event instanceof WatchdogEvent.Failed e) {
            draft.fires(e.firesAtNanos());
            draft.fail(e.why());
        }
    }

    /** Those of the agent before this one are guarded, and their work must stop: nobody has renewed for them since. */
    private static void found(WatchdogDraft draft, WatchdogEvent.Found found) {
        draft.begin(found.firesAtNanos());
        long until = found.firesAtNanos().orElse(Long.MIN_VALUE);
        found.keys().forEach(key -> draft.watched.add(new Watched(key, until, true, true)));
    }
}
