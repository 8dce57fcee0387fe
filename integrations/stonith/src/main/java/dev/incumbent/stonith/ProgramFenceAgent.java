package dev.incumbent.stonith;

import dev.incumbent.FenceAgent;
import dev.incumbent.model.Holder;
import dev.incumbent.model.HolderProof;
import dev.incumbent.time.Timeline;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * Turns nodes off by programs, and sees them off: the action {@code off} must succeed, and then {@code status} must say <em>off</em>, which is the exit code 2. Each runs as a process of its own,
 * which is killed when its time is up, also if this process stands still or has ended.
 *
 * <p>A holder of this very machine is proved gone if it is, and is never turned off: that would end this process, too. Thread-safe; each call runs on a thread of its own.
 */
public final class ProgramFenceAgent implements FenceAgent {
    /** The least that an agent may be given for one holder. */
    public static final Duration LEAST_BOUND = Duration.ofSeconds(1);

    /** Until a kill has done its work, at the end of an action's time. */
    private static final Duration KILL_RESERVE = Duration.ofMillis(200);

    private static final int IS_OFF = 2;

    private final LocalNode here;
    private final FenceLevels levels;
    private final Timeline timeline;

    /**
     * Turns off what these devices do. Throws an {@link IllegalArgumentException} if two of them turn off the same node, or the timeline has no clock since boot.
     */
    public ProgramFenceAgent(LocalNode here, List<FenceDevice> devices, Timeline timeline) {
        this(here, FenceLevels.of(devices), timeline);
    }

    /**
     * The same, by the levels of each node. Of the time that is left, each level has an equal share, so that one that hangs leaves time for the next.
     */
    public ProgramFenceAgent(LocalNode here, FenceLevels levels, Timeline timeline) {
        this.here = here;
        this.levels = levels;
        this.timeline = timeline;
        if (timeline.bootNanos().isEmpty()) {
            throw new IllegalArgumentException(
                    "fence agents as programs need the clock of /proc/uptime, and there is none here");
        }
    }

    @Override
    public CompletionStage<HolderProof.Kind> turnOff(Holder holder, Window window) {
        CompletableFuture<HolderProof.Kind> proof = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> prove(holder, window, proof),
                "incumbent-stonith-" + holder.on().node());
        thread.setDaemon(true);
        thread.start();
        return proof;
    }

    private void prove(Holder holder, Window window, CompletableFuture<HolderProof.Kind> proof) {
        try {
            proof.complete(proved(holder, window));
        } catch (InterruptedException interrupted) {
            proof.completeExceptionally(new IllegalStateException("interrupted"));
        } catch (IOException | RuntimeException | Error failed) {
            proof.completeExceptionally(failed);
        }
    }

    private HolderProof.Kind proved(Holder holder, Window window) throws IOException, InterruptedException {
        if (holder.on().node().equals(here.boot().node())) {
            if (!holder.on().bootId().equals(here.boot().bootId())) {
                return HolderProof.Kind.REBOOTED;
            }
            Optional<String> obstacle = here.obstacle(holder);
            if (obstacle.isPresent()) {
                throw new IllegalStateException(obstacle.get() + "; this process does not turn its own machine off");
            }
            return HolderProof.Kind.ABSENT;
        }
        List<List<FenceDevice>> its = levels.of(holder.on().node());
        if (its.isEmpty()) {
            throw new IllegalStateException("no fence device turns node "
                    + holder.on().node() + " off, these nodes have one: " + levels.nodes());
        }
        turnOff(its, holder, window);
        return HolderProof.Kind.OFF;
    }

    private void turnOff(List<List<FenceDevice>> its, Holder holder, Window window)
            throws IOException, InterruptedException {
        Duration least = LEAST_BOUND.multipliedBy(its.size());
        if (window.bound().compareTo(least) < 0) {
            throw new IllegalStateException(
                    told(its) + " of node " + holder.on().node() + " has "
                            + window.bound().toMillis() + " ms, and needs at least " + least.toMillis());
        }
        // read before the window is: whatever happens in between only makes the time shorter
        long until = timeline.bootNanos().orElseThrow()
                + window.bound().minus(KILL_RESERVE).toNanos();
        if (!window.isOpen()) {
            throw new IllegalStateException("the guard does not hold any more for the "
                    + window.bound().toMillis() + " ms that " + told(its) + " may take; nothing was begun");
        }
        List<String> failures = new ArrayList<>();
        for (int i = 0; i < its.size(); i++) {
            long now = timeline.bootNanos().orElseThrow();
            try {
                turnOff(its.get(i), holder, now + (until - now) / (its.size() - i));
                return;
            } catch (IllegalStateException | IOException failed) {
                failures.add((its.size() > 1 ? "level " + (i + 1) + ": " : "") + failed.getMessage());
            }
        }
        throw new IllegalStateException(String.join("; then ", failures));
    }

    private static String told(List<List<FenceDevice>> its) {
        return its.stream()
                .map(level -> level.stream().map(FenceDevice::name).collect(Collectors.joining(" and ")))
                .collect(Collectors.joining(", then ", "fence device ", ""));
    }

    /** All of them turn it off first: a machine with two power supplies is off only then. */
    private void turnOff(List<FenceDevice> level, Holder holder, long until) throws IOException, InterruptedException {
        for (FenceDevice device : level) {
            ActionRun.Ended off = new ActionRun(device, "off", holder, timeline).until(until);
            if (!off.is(0)) {
                throw failed(device, holder, "off " + off);
            }
        }
        for (FenceDevice device : level) {
            ActionRun.Ended status = new ActionRun(device, "status", holder, timeline).until(until);
            if (!status.is(IS_OFF)) {
                throw failed(device, holder, "after off, status " + status + " (2 is off, 0 on)");
            }
        }
    }

    private static IllegalStateException failed(FenceDevice device, Holder holder, String why) {
        return new IllegalStateException(
                "fence device " + device.name() + " for node " + holder.on().node() + ": " + why);
    }
}
