package dev.incumbent.agent.owners;

import dev.incumbent.protocol.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The next state while a step is taken, and what it owes. Used for one step. */
final class OwnersDraft {
    private static final long MILLI = 1_000_000;

    final OwnersSetup setup;
    final long now;
    final List<Owner> line;
    Optional<SubLease> term;
    boolean drains;
    private boolean stands;
    private final List<OwnersEffect> effects = new ArrayList<>();

    OwnersDraft(OwnersState state, long now) {
        this.setup = state.setup();
        this.now = now;
        this.line = new ArrayList<>(state.line());
        this.term = state.term();
        this.drains = state.drains();
        this.stands = state.stands();
    }

    void emit(OwnersEffect effect) {
        effects.add(effect);
    }

    void put(SubLease sub) {
        term = Optional.of(sub);
    }

    Optional<Owner> owner(String id) {
        return line.stream().filter(owner -> owner.id().equals(id)).findFirst();
    }

    /** The term of that token, if it is that owner's. */
    Optional<SubLease> term(String id, long token) {
        return term.filter(sub -> sub.owner().equals(id) && sub.token() == token);
    }

    int place(String id) {
        return line.stream().map(Owner::id).toList().indexOf(id) + 1;
    }

    /** Whose the next term is: the first in line that was heard since it asked; while nobody was, the first. */
    Optional<Owner> successor() {
        return line.stream()
                .filter(Owner::heard)
                .findFirst()
                .or(() -> line.stream().findFirst());
    }

    /** A term whose owner was never heard goes to the first one that is: nothing was granted in it. */
    void claim(String id) {
        boolean isUnheard = term.flatMap(sub -> owner(sub.owner()))
                .filter(owner -> !owner.heard() && !owner.id().equals(id))
                .isPresent();
        Optional<SubLease> free = term.filter(sub -> isUnheard && !sub.ending());
        if (free.isPresent() && owner(id).isPresent()) {
            unwatch(free.get());
            begin(free.get().token(), owner(id).get());
        }
    }

    /** A term begins, and is its owner's. */
    void begin(long token, Owner owner) {
        put(SubLease.begun(token, owner, now));
        if (owner.watched()) {
            emit(new OwnersEffect.Watch(owner.id(), token));
        }
    }

    /** The watchdog guards it no more: the work has stopped, or has never begun. */
    private void unwatch(SubLease sub) {
        if (sub.shield().wanted()) {
            emit(new OwnersEffect.Unwatch(sub.owner(), sub.token()));
        }
    }

    /** An owner is heard, or answered: its time to live begins anew. */
    void hears(String id) {
        change(id, owner -> owner.heard(now + setup.waited(owner.ttlNanos())));
    }

    void tell(String id, View view) {
        change(id, owner -> owner.told(view));
    }

    private void change(String id, UnaryOperator<Owner> changed) {
        line.replaceAll(owner -> owner.id().equals(id) ? changed.apply(owner) : owner);
    }

    /** For how long an answer may let this owner believe that it leads, in whole milliseconds. */
    long holds(Owner owner, Shield shield, long remaining) {
        long most = Math.min(owner.ttlNanos(), setup.mostHoldNanos());
        long left = Math.min(remaining, shield.mostNanos(now, OwnersSetup.SAYING_NANOS));
        return Math.min(most, setup.told(Math.max(0, left))) / MILLI * MILLI;
    }

    /** Withdraws whoever was not heard in time. */
    void expire() {
        line.removeIf(owner -> now >= owner.dueNanos());
    }

    /**
     * Gives up the term that is over, and stands while somebody is in line. Whoever stands no more withdraws before it gives up: the other way round it could lead
     * once more in between.
     */
    void pursue() {
        Optional<SubLease> over = term.filter(this::mayGiveUp);
        over.ifPresent(this::end);
        term.filter(this::isOver)
                .filter(sub -> sub.shield().wanted() && !sub.shield().ended())
                .ifPresent(this::endWatch);
        boolean wanted = !line.isEmpty() && !drains;
        if (wanted && !stands) {
            stands = true;
            emit(new OwnersEffect.Stand());
        } else if (!wanted && stands && term.isEmpty()) {
            stands = false;
            emit(new OwnersEffect.Withdraw());
        }
        over.ifPresent(sub -> emit(new OwnersEffect.GiveUp(sub.token())));
    }

    private boolean isOver(SubLease sub) {
        return sub.ending() || owner(sub.owner()).isEmpty();
    }

    private boolean mayGiveUp(SubLease sub) {
        return isOver(sub) && (sub.stopped() || now >= endNanos(sub));
    }

    /** When the term may be given up although its owner has not said that its work has stopped. */
    private long endNanos(SubLease sub) {
        return setup.endsByWordAlone() && sub.shield().used() ? Step.NEVER : sub.endNanos();
    }

    private void endWatch(SubLease sub) {
        put(sub.under(sub.shield().endedNow()));
        emit(new OwnersEffect.WatchEnds(sub.owner(), sub.token()));
    }

    /** Whose term has ended stands last. */
    private void end(SubLease sub) {
        term = Optional.empty();
        if (sub.stopped() || !sub.shield().used()) {
            unwatch(sub);
        }
        owner(sub.owner()).ifPresent(owner -> {
            line.remove(owner);
            line.add(owner);
        });
    }

    Step<OwnersState, OwnersEffect> step() {
        return new Step<>(new OwnersState(setup, line, term, stands, drains), effects, wakeAt());
    }

    private long wakeAt() {
        long first = line.stream().mapToLong(Owner::dueNanos).min().orElse(Step.NEVER);
        return term.filter(this::isOver)
                .map(sub -> Math.min(first, endNanos(sub)))
                .orElse(first);
    }
}
