package dev.incumbent.agent.elections;

import dev.incumbent.Validity;
import dev.incumbent.agent.alarms.AsideLog;
import dev.incumbent.agent.watchdog.WatchKey;
import dev.incumbent.agent.watchdog.WatchdogEffect;
import dev.incumbent.agent.watchdog.WatchdogEvent;
import dev.incumbent.agent.watchdog.WatchdogProtocol;
import dev.incumbent.agent.watchdog.WatchdogState;
import dev.incumbent.agent.watchdog.Watched;
import dev.incumbent.model.Timing;
import dev.incumbent.protocol.Step;
import dev.incumbent.supervisor.WatchdogHolder;
import dev.incumbent.supervisor.WatchdogHolder.Told;
import dev.incumbent.time.Timeline;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The hardware watchdog of this host, while it guards the work of owners. One process holds the device, and outlives this agent; {@link WatchdogProtocol} has the
 * rules.
 *
 * <p>Thread-safe; only {@link #open} and {@link #close} block. What it tells is told on a thread of its own, so whoever hears returns at once.
 */
public final class HostWatchdog implements AutoCloseable {
    /** A stop budget has room for a second that is rounded off, one in which an owner says that it has stopped, and one to stop in. */
    static final Duration LEAST_STOP_BUDGET = Duration.ofSeconds(3);

    private static final Duration EACH_LOOK = Duration.ofMillis(500);
    private static final Duration LAST_WORD = Duration.ofSeconds(3);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration TROUBLE_LASTS = Duration.ofSeconds(10);

    private final AsideLog log = new AsideLog();
    private final Path device;
    private final Strand strand;
    private final LastingHolder holder;
    private volatile WatchdogView view = WatchdogView.STOPPED;
    private volatile Optional<Trouble> trouble = Optional.empty();
    private final AtomicLong feedings = new AtomicLong();
    // Touched by the strand alone.
    private final Map<WatchKey, GuardedWork> works = new TreeMap<>();
    private final Map<WatchKey, Hearing> hearing = new HashMap<>();
    private final Map<WatchKey, Validity> validities = new HashMap<>();
    private final Set<WatchKey> lost = new HashSet<>(); // whom the holder guarded when it was gone
    private WatchdogState state = WatchdogState.EMPTY;
    private Timeline.Alarm look = () -> {};
    private boolean hasWarned;
    private boolean hasFailed;

    private record Trouble(String why, long atNanos) {}

    /** Whoever has work that is guarded. */
    interface Hearing {
        /** The work is guarded; the device fires then unless it is fed or stopped before. */
        void guards(long firesAtNanos);

        /** The work is not guarded, or not in time. */
        void unguarded();

        /** The process that does the work has ended. */
        void gone();
    }

    private HostWatchdog(Path device, Strand strand, LastingHolder holder) {
        this.device = device;
        this.strand = strand;
        this.holder = holder;
    }

    /**
     * Takes the device over from the agent before, or finds it stopped. It does not count until an owner asks for it.
     *
     * @param program the supervisor's program, perhaps with words before it
     * @param folder where the process that holds the device listens; only this user can change it
     * @throws IOException if the device cannot be used, with a sentence
     */
    public static HostWatchdog open(List<String> program, Path device, Path folder) throws IOException {
        Path socket = folder.resolve("watchdog-" + device.getFileName() + ".sock");
        Strand strand = new Strand();
        try {
            LastingHolder holder = LastingHolder.open(program, device, socket, strand::nanos);
            HostWatchdog watchdog = new HostWatchdog(device, strand, holder);
            holder.hear(watchdog.new FromHolder());
            strand.execute(watchdog::lookAgain);
            return watchdog;
        } catch (IOException unusable) {
            strand.close();
            throw unusable;
        }
    }

    /** Why no watchdog can guard owners of a lease of that length; empty if one can. */
    public static Optional<String> objection(Timing timing) {
        return timing.stopBudget().compareTo(LEAST_STOP_BUDGET) >= 0
                ? Optional.empty()
                : Optional.of("a watchdog counts whole seconds, so the stop budget is " + LEAST_STOP_BUDGET.toSeconds()
                        + " s at least, and that of a lease of "
                        + timing.lease().toMillis() + " ms is "
                        + timing.stopBudget().toMillis() + " ms: give a lease of 9s or more");
    }

    /** Hears the holder, and tells it on the strand. */
    private final class FromHolder implements LastingHolder.Hearing {
        @Override
        public void holds(WatchdogHolder now) {
            strand.execute(() -> begin(now));
        }

        @Override
        public void answered(Told told) {
            strand.execute(() -> HostWatchdog.this.answered(told));
        }

        @Override
        public void refused(String why) {
            strand.execute(() -> HostWatchdog.this.refused(why));
        }
    }

    private void begin(WatchdogHolder now) {
        Map<WatchKey, GuardedWork> found = found(now);
        works.putAll(found);
        found.values()
                .forEach(work -> log.log(
                        Level.WARNING,
                        "the watchdog " + device + " counts still: the work of " + work.name() + " in "
                                + work.election() + ", which it guarded before, has not said that it has stopped"));
        List<WatchKey> keys = new ArrayList<>(found.keySet());
        OptionalLong fires = now.found().firesAtNanos();
        for (int i = 0; fires.isPresent() && i < now.unnamed(); i++) {
            keys.add(new WatchKey("", i));
            log.log(
                    Level.ERROR,
                    "the watchdog " + device
                            + " guards work which its holder cannot name, so nobody can say that it has stopped: the host restarts");
        }
        trouble = Optional.empty();
        step(new WatchdogEvent.Found(fires, keys));
    }

    /** Whom it guards from before. Of those that this agent knew, some may have stopped while nobody held the device. */
    private Map<WatchKey, GuardedWork> found(WatchdogHolder now) {
        Map<WatchKey, GuardedWork> found = new TreeMap<>();
        now.owners().forEach((text, work) -> {
            WatchKey key = key(text);
            if (lost.contains(key) && !works.containsKey(key)) {
                now.forget(text);
            } else {
                found.put(key, GuardedWork.of(work));
            }
        });
        lost.clear();
        return found;
    }

    private void refused(String why) {
        if (trouble.filter(last -> last.why.equals(why)).isEmpty()) {
            log.log(Level.ERROR, "the watchdog " + device + " guards nobody, since no process holds it: " + why);
        }
        trouble = Optional.of(new Trouble(why, strand.nanos()));
    }

    /** How it stands now. */
    public WatchdogView view() {
        return view;
    }

    /** The device. */
    public Path device() {
        return device;
    }

    /** When it restarts this host unless it is fed or stopped, from now; empty while it is stopped. */
    public Optional<Duration> remaining() {
        OptionalLong fires = view.firesAtNanos();
        return fires.isEmpty()
                ? Optional.empty()
                : Optional.of(Duration.ofNanos(Math.max(0, fires.getAsLong() - strand.nanos())));
    }

    /** How often it was fed. */
    public long feedings() {
        return feedings.get();
    }

    /** Why it could not guard whom it was asked for last, if that is not long ago. */
    public Optional<String> trouble() {
        return trouble.filter(one -> strand.nanos() - one.atNanos < TROUBLE_LASTS.toNanos())
                .map(Trouble::why)
                .or(view::gone);
    }

    /** Work is about to begin, and waits until it is guarded. */
    void watch(WatchKey key, GuardedWork work, Hearing hears) {
        strand.execute(() -> {
            works.put(key, work);
            hearing.put(key, hears);
        });
    }

    /** For how long the leadership is valid in which that work is done: at first, and after each renewal. */
    void validity(WatchKey key, Validity validity) {
        strand.execute(() -> {
            boolean isFirst = !validities.containsKey(key);
            if (hearing.containsKey(key) && !(isFirst && isShort(validity))) {
                validities.put(key, validity);
                step(
                        isFirst
                                ? new WatchdogEvent.Wanted(key, validity.untilNanos())
                                : new WatchdogEvent.Renewed(key, validity.untilNanos()));
            }
        });
    }

    /** Work that would begin with so little left would make the device fire before others could stop. It waits for the next renewal. */
    private boolean isShort(Validity validity) {
        return validity.untilNanos() - strand.nanos() < LEAST_STOP_BUDGET.toNanos();
    }

    /** The work must stop. */
    void ends(WatchKey key) {
        strand.execute(() -> step(new WatchdogEvent.Ends(key)));
    }

    /** The work has stopped, or has never begun. */
    void stopped(WatchKey key) {
        strand.execute(() -> {
            step(new WatchdogEvent.Stopped(key));
            forget(key);
        });
    }

    /** An owner says that its work has stopped, in the term of that token, or in all: perhaps one that the agent before this one knew. */
    void stopped(String owner, OptionalLong token) {
        strand.execute(() -> List.copyOf(works.keySet()).stream()
                .filter(key -> key.owner().equals(owner) && key.token() == token.orElse(key.token()))
                .forEach(this::stopped));
    }

    private void forget(WatchKey key) {
        works.remove(key);
        hearing.remove(key);
        validities.remove(key);
    }

    private void answered(Told told) {
        OptionalLong fires = told.firesAtNanos();
        hasFailed = told.kind() == WatchdogHolder.Kind.FAILED;
        switch (told.kind()) {
            case COUNTS -> {
                feedings.incrementAndGet();
                step(new WatchdogEvent.Counts(fires.orElseThrow()));
            }
            case STOPPED -> step(new WatchdogEvent.DeviceStopped());
            case SHORT, FAILED -> step(new WatchdogEvent.Failed(fires, told.why()));
            case GONE -> {
                state.watched().forEach(one -> lost.add(one.key()));
                step(new WatchdogEvent.HolderGone(told.why()));
            }
            case HOLDS -> log.log(Level.WARNING, "the holder of " + device + " greets twice");
        }
    }

    private void step(WatchdogEvent event) {
        Step<WatchdogState, WatchdogEffect> step = WatchdogProtocol.step(state, event);
        boolean counted = state.firesAtNanos().isPresent();
        state = step.state();
        tell(counted);
        step.effects().forEach(this::perform);
        List<GuardedWork> stand = state.watched().stream()
                .flatMap(one -> work(one.key()).stream())
                .toList();
        boolean fires = state.watched().stream().anyMatch(Watched::ends);
        view = new WatchdogView(state.firesAtNanos(), stand, fires, state.gone());
    }

    private void tell(boolean counted) {
        boolean counts = state.firesAtNanos().isPresent();
        if (counts && !counted) {
            log.log(
                    Level.INFO,
                    "the watchdog " + device + " counts, " + left().toSeconds()
                            + " s now: it restarts this host unless it is fed or stopped");
        } else if (counted && !counts) {
            log.log(Level.INFO, "the watchdog " + device + " is stopped: all work that it guarded has stopped");
        }
        hasWarned &= counts;
    }

    private Duration left() {
        return Duration.ofNanos(state.firesAtNanos().orElse(strand.nanos()) - strand.nanos());
    }

    private void perform(WatchdogEffect effect) {
        if (effect instanceof WatchdogEffect.Count e) {
            long since = validities.values().stream()
                    .mapToLong(Validity::sentAtNanos)
                    .min()
                    .orElse(strand.nanos());
            holder.now().count(e.untilNanos(), since);
        } else if (effect instanceof WatchdogEffect.StopDevice) {
            stopDevice();
        } else if (effect instanceof WatchdogEffect.Remember e) {
            work(e.key()).ifPresent(work -> holder.now().remember(text(e.key()), work.text()));
        } else if (effect instanceof WatchdogEffect.Forget e) {
            holder.now().forget(text(e.key()));
        } else if (effect instanceof WatchdogEffect.Guards e) {
            hears(e.key()).ifPresent(one -> one.guards(e.firesAtNanos()));
        } else if (effect instanceof WatchdogEffect.Unguarded e) {
            unguarded(e);
        }
    }

    /** One that failed to stop is asked again after a while. */
    private void stopDevice() {
        if (hasFailed) {
            var unused = strand.at(
                    strand.nanos() + EACH_LOOK.toNanos(), () -> holder.now().stop());
        } else {
            holder.now().stop();
        }
    }

    private void unguarded(WatchdogEffect.Unguarded e) {
        trouble = Optional.of(new Trouble(e.why(), strand.nanos()));
        Optional<GuardedWork> work = work(e.key());
        log.log(
                Level.ERROR,
                "the watchdog " + device + " cannot guard the work of "
                        + work.map(GuardedWork::name).orElse("") + " in "
                        + work.map(GuardedWork::election).orElse("") + ", which does not lead: " + e.why());
        hears(e.key()).ifPresent(Hearing::unguarded);
    }

    private Optional<GuardedWork> work(WatchKey key) {
        return Optional.ofNullable(works.get(key));
    }

    private Optional<Hearing> hears(WatchKey key) {
        return Optional.ofNullable(hearing.get(key));
    }

    private void lookAgain() {
        look = strand.at(strand.nanos() + EACH_LOOK.toNanos(), () -> {
            List.copyOf(works.entrySet()).stream()
                    .filter(one -> one.getValue()
                            .process()
                            .filter(OwnerProcess::isGone)
                            .isPresent())
                    .forEach(one -> gone(one.getKey()));
            warn();
            lookAgain();
        });
    }

    private void gone(WatchKey key) {
        hears(key).ifPresent(Hearing::gone);
        stopped(key);
    }

    /** So that whoever reads the log afterwards knows why the host was restarted. */
    private void warn() {
        if (!hasWarned && state.firesAtNanos().isPresent() && left().compareTo(LAST_WORD) < 0) {
            hasWarned = true;
            String whose = String.join(
                    ", ",
                    view.works().stream()
                            .map(work -> work.name() + " in " + work.election())
                            .toList());
            log.log(
                    Level.ERROR,
                    "the watchdog " + device + " restarts this host in " + left().toMillis()
                            + " ms, unless a renewal succeeds or this work says that it has stopped: " + whose);
        }
    }

    private static String text(WatchKey key) {
        return key.owner() + ":" + key.token();
    }

    private static WatchKey key(String text) {
        int colon = text.lastIndexOf(':');
        return new WatchKey(text.substring(0, colon), Long.parseLong(text.substring(colon + 1)));
    }

    /** Lets go of the device. If it counts, it counts on, and the next agent finds it so. Blocks for two seconds at most. */
    @Override
    public void close() {
        CompletableFuture<Void> settled = new CompletableFuture<>();
        strand.execute(() -> settle(settled, strand.nanos() + PATIENCE.toNanos()));
        try {
            settled.get(2 * PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException late) {
            // The device counts on.
        }
        strand.execute(() -> look.cancel());
        holder.close();
        strand.close();
    }

    /** What it was asked is answered, and a device that guards nobody is stopped. */
    private void settle(CompletableFuture<Void> settled, long untilNanos) {
        boolean rests = !state.asked()
                && (state.firesAtNanos().isEmpty() || !state.watched().isEmpty());
        if (rests || strand.nanos() >= untilNanos) {
            settled.complete(null);
        } else {
            var unused = strand.at(strand.nanos() + Duration.ofMillis(10).toNanos(), () -> settle(settled, untilNanos));
        }
    }
}
