package dev.incumbent.agent.watchdog;

import dev.incumbent.protocol.Step;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;

/** One host: owners in terms of one or two coordinators, an agent that may be started again, and the device. Time is in milliseconds. */
final class WatchdogWorld {
    private static final int STEPS = 400;
    private static final long SECOND = 1000;
    // Once all work has stopped, two answers may be owed, of a feeding and of the stop: both within a second.
    private static final long LATEST = 450;

    private final long seed;
    private final Random random;
    private final Map<WatchKey, Owner> owners = new TreeMap<>();
    private final Map<String, Integer> marks = new TreeMap<>();
    private final Deque<WatchdogEffect> unanswered = new ArrayDeque<>();
    private final List<WatchKey> remembered = new ArrayList<>();
    private WatchdogState state = WatchdogState.EMPTY;
    private long now;
    private long askedAt;
    private long stoppedAt = -SECOND;
    private long nextToken = 1;
    private boolean isOutage;
    private boolean isOver;
    private boolean wasRefused;
    // The device: it counts whole seconds from when it was fed.
    private OptionalLong firesAt = OptionalLong.empty();

    /** Someone who works while it may, or for longer. */
    private static final class Owner {
        private final int coordinator;
        private long until;
        private boolean works;
        private boolean mustStop;

        Owner(int coordinator, long until) {
            this.coordinator = coordinator;
            this.until = until;
        }
    }

    WatchdogWorld(long seed) {
        this.seed = seed;
        this.random = new Random(seed);
    }

    Map<String, Integer> marks() {
        return marks;
    }

    void run() {
        step(new WatchdogEvent.Found(OptionalLong.empty(), List.of()));
        for (int i = 0; i < STEPS && !isOver; i++) {
            pass(1 + random.nextInt(700));
            if (!isOver) {
                happen();
                whoIsRenewedIsFed();
            }
        }
    }

    /** Time passes. The holder is late, but not for ever. */
    private void pass(long millis) {
        long to = now + millis;
        while (!isOver && !unanswered.isEmpty() && askedAt + LATEST <= to) {
            passTo(Math.max(now, askedAt + LATEST));
            answer();
        }
        passTo(to);
    }

    /** At the end of the countdown the host is gone. */
    private void passTo(long time) {
        if (isOver) {
            return;
        }
        now = time;
        if (firesAt.isPresent() && now >= firesAt.getAsLong()) {
            mark("fired");
            isOver = true;
            hold(
                    owners.values().stream().anyMatch(owner -> owner.works) || stoppedAt > firesAt.getAsLong() - SECOND,
                    "it fired although all work had stopped a second before");
        }
        for (Map.Entry<WatchKey, Owner> one : owners.entrySet()) {
            if (!isOver && one.getValue().works) {
                hold(now < one.getValue().until, one.getKey() + " works beyond its leadership");
            }
        }
    }

    private void happen() {
        switch (random.nextInt(10)) {
            case 0 -> begin();
            case 1, 2, 3 -> renew(random.nextInt(2));
            case 4, 5, 6 -> answer();
            case 7 -> someoneMustStop();
            case 8 -> isOutage = random.nextInt(8) == 0;
            default -> {
                if (random.nextInt(6) == 0) {
                    anotherAgent();
                }
            }
        }
        if (isOutage) {
            mark("outage");
        }
        everybodyMinds();
    }

    private long lease(int coordinator) {
        return coordinator == 0 ? 14_900 : 9_000;
    }

    private void begin() {
        if (isOutage || owners.size() > 4) {
            return;
        }
        WatchKey key = new WatchKey("o" + nextToken, nextToken);
        nextToken++;
        int coordinator = random.nextInt(2);
        long age = random.nextInt(20) == 0 ? lease(coordinator) - random.nextInt(1500) : random.nextInt(3000);
        Owner owner = new Owner(coordinator, now + lease(coordinator) - age);
        owners.put(key, owner);
        step(new WatchdogEvent.Wanted(key, owner.until));
    }

    private void renew(int coordinator) {
        if (isOutage && coordinator == 0) {
            return;
        }
        long until = now + lease(coordinator) - random.nextInt(300);
        for (Map.Entry<WatchKey, Owner> one : Map.copyOf(owners).entrySet()) {
            Owner owner = one.getValue();
            if (owner.coordinator == coordinator && now < owner.until) {
                owner.until = Math.max(owner.until, until);
                step(new WatchdogEvent.Renewed(one.getKey(), owner.until));
            }
        }
    }

    /** The holder does what it was asked, some time later, or cannot. */
    private void answer() {
        if (unanswered.isEmpty()) {
            return;
        }
        WatchdogEffect asked = unanswered.removeFirst();
        if (asked instanceof WatchdogEffect.StopDevice) {
            hold(owners.values().stream().noneMatch(owner -> owner.works), "it is stopped under work that goes on");
            firesAt = OptionalLong.empty();
            mark("stopped");
            step(new WatchdogEvent.DeviceStopped());
        } else if (asked instanceof WatchdogEffect.Count count) {
            long seconds = (count.untilNanos() - now) / SECOND;
            if (seconds < 1 || random.nextInt(30) == 0) {
                mark("refused");
                wasRefused = true;
                step(new WatchdogEvent.Failed(firesAt, "refused"));
            } else {
                firesAt = OptionalLong.of(now + seconds * SECOND);
                mark("fed");
                wasRefused = false;
                everyLeadershipOutlives(firesAt.getAsLong());
                step(new WatchdogEvent.Counts(firesAt.getAsLong()));
            }
        }
    }

    private void everyLeadershipOutlives(long fires) {
        owners.forEach((key, owner) -> hold(
                !owner.works || fires <= owner.until, "it was fed so that " + key + " may outlive its leadership"));
    }

    /** So it never fires while all who work are renewed and none hangs. */
    private void whoIsRenewedIsFed() {
        boolean allMayWork =
                remembered.stream().map(owners::get).allMatch(owner -> owner != null && owner.works && !owner.mustStop);
        if (allMayWork && !remembered.isEmpty() && unanswered.isEmpty() && !wasRefused) {
            mark("all may work");
            long first = remembered.stream()
                    .mapToLong(key -> Objects.requireNonNull(owners.get(key)).until)
                    .min()
                    .getAsLong();
            hold(firesAt.orElse(0) > first - SECOND, "it fires early, although all were renewed and none hangs");
        }
    }

    private void someoneMustStop() {
        List<WatchKey> keys = List.copyOf(owners.keySet());
        if (!keys.isEmpty()) {
            WatchKey key = keys.get(random.nextInt(keys.size()));
            mustStop(key);
        }
    }

    private void mustStop(WatchKey key) {
        Owner owner = owners.get(key);
        if (owner != null && !owner.mustStop) {
            owner.mustStop = true;
            step(new WatchdogEvent.Ends(key));
        }
    }

    /** Work stops two seconds before its leadership ends, or a second before the device fires; now and then it does not. */
    private void everybodyMinds() {
        for (Map.Entry<WatchKey, Owner> one : Map.copyOf(owners).entrySet()) {
            Owner owner = one.getValue();
            long end = Math.min(owner.until, firesAt.orElse(Long.MAX_VALUE));
            if (!owner.mustStop && now > end - 5000) {
                mustStop(one.getKey());
            }
            boolean hangs = owner.works && hangs(one.getKey());
            if (owner.mustStop && random.nextInt(3) > 0 && !hangs) {
                stoppedAt = now;
                owner.works = false;
                owners.remove(one.getKey());
                step(new WatchdogEvent.Stopped(one.getKey()));
            } else if (owner.mustStop && hangs) {
                mark("work that did not stop");
            }
        }
    }

    private boolean hangs(WatchKey key) {
        return (key.token() + seed) % 7 == 0;
    }

    /** It knows only what the holder remembers. Nobody renews for the owners of the one before; all of them leave, also who never led. */
    private void anotherAgent() {
        if (!unanswered.isEmpty()) {
            answer();
        }
        unanswered.clear();
        mark("found by another agent");
        owners.values().forEach(owner -> owner.mustStop = true);
        state = WatchdogState.EMPTY;
        step(new WatchdogEvent.Found(firesAt, List.copyOf(remembered)));
    }

    private void step(WatchdogEvent event) {
        Step<WatchdogState, WatchdogEffect> step = WatchdogProtocol.step(state, event);
        state = step.state();
        for (WatchdogEffect effect : step.effects()) {
            if (effect instanceof WatchdogEffect.Guards guards) {
                guards(guards);
            } else if (effect instanceof WatchdogEffect.Unguarded unguarded) {
                mark("unguarded");
                unguarded(unguarded.key());
            } else if (effect instanceof WatchdogEffect.Remember one) {
                remembered.add(one.key());
            } else if (effect instanceof WatchdogEffect.Forget one) {
                remembered.remove(one.key());
            } else {
                hold(unanswered.isEmpty(), "it asks before it was answered");
                unanswered.add(effect);
                askedAt = now;
            }
        }
    }

    private void guards(WatchdogEffect.Guards guards) {
        Owner owner = owners.get(guards.key());
        hold(firesAt.equals(OptionalLong.of(guards.firesAtNanos())), "the device does not fire when it says");
        if (owner != null && !owner.mustStop && !owner.works) {
            mark("began to work");
            hold(guards.firesAtNanos() <= owner.until, "work begins that the device does not guard");
            owner.works = true;
        }
    }

    private void unguarded(WatchKey key) {
        Owner owner = owners.get(key);
        if (owner != null && !owner.works) {
            owners.remove(key);
        } else if (owner != null) {
            owner.mustStop = true;
        }
    }

    private void mark(String what) {
        marks.merge(what, 1, Integer::sum);
    }

    private void hold(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError("seed " + seed + " at " + now + " ms: " + what);
        }
    }
}
