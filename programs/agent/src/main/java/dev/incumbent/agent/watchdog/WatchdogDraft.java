package dev.incumbent.agent.watchdog;

import dev.incumbent.protocol.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** The next state while a step is taken, and what it owes. Used for one step. */
final class WatchdogDraft {
    /** As many as the holder of the device remembers. */
    private static final int MOST = 64;

    private static final String FULL = "it guards the work of " + MOST + " owners already, and guards no more";

    final List<Watched> watched;
    boolean asked;
    private OptionalLong firesAt;
    private boolean renewed;
    private long askedUntil;
    private Optional<String> gone;
    private final List<WatchdogEffect> effects = new ArrayList<>();

    WatchdogDraft(WatchdogState state) {
        this.watched = new ArrayList<>(state.watched());
        this.firesAt = state.firesAtNanos();
        this.renewed = state.renewed();
        this.askedUntil = state.askedUntilNanos();
        this.asked = state.asked();
        this.gone = state.gone();
    }

    void add(Watched one) {
        Optional<String> objection = watched.size() < MOST ? gone : Optional.of(FULL);
        if (objection.isPresent()) {
            effects.add(new WatchdogEffect.Unguarded(one.key(), objection.get()));
        } else {
            watched.add(one);
            effects.add(new WatchdogEffect.Remember(one.key()));
        }
    }

    void remove(WatchKey key) {
        if (watched.removeIf(one -> one.key().equals(key))) {
            effects.add(new WatchdogEffect.Forget(key));
        }
    }

    void renew(WatchKey key, long until) {
        change(one -> one.key().equals(key) && !one.ends() && until > one.untilNanos(), one -> {
            renewed = true;
            return one.until(until);
        });
    }

    /** Work that has not begun has stopped. */
    void end(WatchKey key) {
        change(one -> one.key().equals(key), Watched::ending);
        unbegun(Watched::ends).forEach(this::remove);
    }

    private List<WatchKey> unbegun(Predicate<Watched> which) {
        return watched.stream()
                .filter(one -> !one.guarded() && which.test(one))
                .map(Watched::key)
                .toList();
    }

    private void change(Predicate<Watched> which, UnaryOperator<Watched> how) {
        watched.replaceAll(one -> which.test(one) ? how.apply(one) : one);
    }

    /** The device is held from now on. */
    void begin(OptionalLong fires) {
        gone = Optional.empty();
        asked = false;
        firesAt = fires;
        askedUntil = fires.orElse(Long.MIN_VALUE);
    }

    /** The device is what it is told to be. Whom it guards is told whenever that changes. */
    void fires(OptionalLong at) {
        firesAt = at;
        at.ifPresent(fires -> watched.stream()
                .filter(Watched::guarded)
                .forEach(one -> effects.add(new WatchdogEffect.Guards(one.key(), fires))));
    }

    /** Whose work has not begun is not guarded. Nor is, in time, whose leadership ends before the device fires. */
    void fail(String why) {
        long fires = firesAt.orElse(Long.MAX_VALUE);
        Predicate<Watched> isLate = one -> one.untilNanos() < fires && !one.ends();
        watched.stream()
                .filter(one -> !one.guarded() || isLate.test(one))
                .forEach(one -> effects.add(new WatchdogEffect.Unguarded(one.key(), why)));
        unbegun(one -> true).forEach(this::remove);
        change(isLate, Watched::ending);
    }

    void gone(String why) {
        gone = Optional.of(why);
        asked = false;
        watched.forEach(one -> effects.add(new WatchdogEffect.Unguarded(one.key(), why)));
        watched.clear();
    }

    void pursue() {
        if (asked || gone.isPresent()) {
            return;
        }
        guardWhoFits();
        if (watched.isEmpty()) {
            renewed = false;
            askedUntil = Long.MIN_VALUE;
            if (firesAt.isPresent()) {
                ask(new WatchdogEffect.StopDevice());
            }
            return;
        }
        long until = watched.stream().mapToLong(Watched::untilNanos).min().getAsLong();
        if (!unbegun(one -> true).isEmpty()
                || (mayBeFed(until) && watched.stream().noneMatch(Watched::ends))) {
            renewed = false;
            askedUntil = until;
            ask(new WatchdogEffect.Count(until));
        }
    }

    /** Also where the one has stopped whose leadership ended first, when the others were renewed. */
    private boolean mayBeFed(long until) {
        return renewed || until > askedUntil;
    }

    /** A newcomer whose leadership outlasts the device needs no feeding. */
    private void guardWhoFits() {
        firesAt.ifPresent(fires -> change(one -> !one.guarded() && fires <= one.untilNanos(), one -> {
            effects.add(new WatchdogEffect.Guards(one.key(), fires));
            return one.guardedNow();
        }));
    }

    private void ask(WatchdogEffect question) {
        asked = true;
        effects.add(question);
    }

    Step<WatchdogState, WatchdogEffect> step() {
        return new Step<>(new WatchdogState(watched, firesAt, renewed, askedUntil, asked, gone), effects, Step.NEVER);
    }
}
