package dev.incumbent.protocol;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Feature;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Role;
import dev.incumbent.protocol.Standing.Listing;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One step in the making: the state being changed, the effects so far, and the earliest time that matters. Lives for one step. */
final class Draft {
    final Setup setup;
    final Moment now;
    Role role;
    Standing standing;
    Optional<HeldLease> lease;
    Known known;
    Optional<Tenure> tenure;
    Optional<Attempt> attempt;
    Memory memory;
    /** At most steps there is none. */
    private List<Effect> effects = List.of();

    private long wakeAt = Step.NEVER;

    Draft(Setup setup, ElectionState state, Moment now) {
        this.setup = setup;
        this.now = now;
        this.role = state.role();
        this.standing = state.standing();
        this.lease = state.lease();
        this.known = state.known();
        this.tenure = state.tenure();
        this.attempt = state.attempt();
        this.memory = state.memory();
    }

    ElectionState state() {
        return new ElectionState(role, standing, lease, known, tenure, attempt, memory);
    }

    Step<ElectionState, Effect> step() {
        return new Step<>(state(), effects, wakeAt);
    }

    void emit(Effect effect) {
        if (effects.isEmpty()) {
            effects = new ArrayList<>();
        }
        effects.add(effect);
    }

    void tell(Notice notice) {
        emit(new Effect.Tell(notice));
    }

    /** Wakes the machine at that time, if nothing earlier does; a time that has come needs no waking. */
    void wake(long at) {
        if (at > now.nanos()) {
            wakeAt = Math.min(wakeAt, at);
        }
    }

    boolean isDue(long at) {
        wake(at);
        return now.nanos() >= at;
    }

    Tenure held() {
        return tenure.orElseThrow(
                () -> new IllegalStateException(role + " of " + setup.election() + " without a term"));
    }

    CandidateId me() {
        return setup.candidate().id();
    }

    LeaderRecord record() {
        return known.observed().isPresent() ? known.observed().get().record() : LeaderRecord.EMPTY;
    }

    /** Does the record, as last told, name this process, for whatever term? */
    boolean isNamed() {
        return record().leader().filter(leader -> leader.id().equals(me())).isPresent();
    }

    /** Does this record name the term held, under the lease that it was won with? */
    boolean namesMyTerm(LeaderRecord record) {
        return tenure.isPresent()
                && record.names(me(), held().term().number())
                && record.lease().equals(Optional.of(held().won().under()));
    }

    /** What that record requires and this process does not know. */
    Set<Feature> unknown(LeaderRecord record) {
        return record.requiresBeyond(setup.features().supported());
    }

    /** The record as it is told now; where what is unknown of it has changed, that is told on. */
    void told(ObservedRecord told) {
        Set<Feature> before = unknown(record());
        Optional<String> full = StonithRules.refusal(this, record());
        known = known.told(told, now.nanos());
        Optional<String> fullNow = StonithRules.refusal(this, record());
        if (full.isPresent() != fullNow.isPresent()) {
            tell(new Notice.HoldersFull(fullNow.orElse("")));
        }
        Set<Feature> after = unknown(record());
        if (!after.equals(before)) {
            tell(new Notice.FeaturesUnknown(after));
        }
    }

    long validUntil() {
        return ElectionState.validUntilNanos(setup.timing(), lease, tenure);
    }

    /** When a task must begin to stop so that it is gone before validity ends. */
    long stopAt() {
        long until = validUntil();
        return until == Long.MIN_VALUE
                ? until
                : until - setup.timing().stopLead().toNanos();
    }

    /** The only way into another role; it says where from. */
    void become(Role next, Set<Role> from) {
        if (!from.contains(role)) {
            throw new IllegalStateException(
                    setup.election() + " can become " + next + " from " + from + ", not from " + role);
        }
        role = next;
    }

    String freshNonce() {
        memory = memory.oneMoreNonce();
        return me() + ":" + memory.nonces();
    }

    /** Sends the one swap under way, on the record as last told. */
    void swap(Attempt.Kind kind, LeaderRecord next) {
        LeaderRecord written = next.written(freshNonce());
        attempt = Optional.of(new Attempt(
                kind, known.observed().orElse(ObservedRecord.ABSENT).revision(), written, now.nanos(), Step.NEVER));
        emit(new Effect.SwapRecord(attempt.get().expected(), written));
    }

    void wantRead() {
        known = known.wantsRead();
    }

    void leaveTheList() {
        if (standing.listing() != Listing.OFF) {
            emit(new Effect.WithdrawCandidate(me()));
            standing = standing.listing(Listing.OFF);
        }
    }

    /** The term is over, for this reason; the first reason stands. */
    void end(EndReason reason) {
        end(reason, false);
    }

    void end(EndReason reason, boolean asked) {
        become(Role.RESIGNING, EnumSet.of(Role.FENCING, Role.LEADER));
        Tenure mine = held();
        if (mine.task().begun()) {
            emit(new Effect.EndTerm(mine.term(), reason));
        }
        if (mine.task().runs() && !mine.task().interrupted()) {
            emit(new Effect.InterruptTask(mine.term()));
        }
        long stopBy = now.nanos() + setup.timing().stopLead().toNanos();
        long lapsesAt = reason == EndReason.SUPERSEDED ? Long.MIN_VALUE : validUntil();
        tenure = Optional.of(mine.ending(mine.ending().because(reason, asked, stopBy, lapsesAt))
                .task(mine.task().interrupted(true)));
        if (reason != EndReason.TRANSFERRED) {
            leaveTheList();
            standing = standing.toTheEnd();
        }
    }
}
