package dev.incumbent.protocol;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.Request;
import dev.incumbent.protocol.Bounds.Fault;
import dev.incumbent.protocol.Worlds.Happening;
import dev.incumbent.protocol.Worlds.Now;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What is done to a world from outside: an operator's requests, freezes and thaws, and a restore of its store. */
final class Hands {
    private final Bounds bounds;
    private final List<Candidate> candidates;

    Hands(Bounds bounds, List<Candidate> candidates) {
        this.bounds = bounds;
        this.candidates = candidates;
    }

    /** An operator's swaps are done at once, and its raise at any later moment. */
    void operator(Happening happening, World world) {
        LeaderRecord record = world.store().value().record();
        long frozenAt = world.ledger().value().frozenAt();
        String nonce = "ops" + world.ledger().value().faults();
        if (record.leader().isPresent() && record.request().isEmpty() && !record.isFrozen()) {
            for (Candidate successor : candidates) {
                happening.fault(
                        Fault.TRANSFER,
                        () -> "the operator asks for a transfer to " + successor,
                        then -> then.store = then.store.with(record.withRequest(
                                        Optional.of(new Request.TransferTo("r", record.term(), successor.id())))
                                .written(nonce)));
            }
        }
        if (!record.isFrozen()) {
            happening.fault(Fault.FREEZE, () -> "the operator freezes", then -> {
                long marked =
                        then.store.mark(Worlds.DISK).map(m -> m.token().value()).orElse(0L);
                long number = Math.max(record.term(), marked) + 1;
                then.store =
                        then.store.with(record.withFreeze(Optional.of(new Freeze("ops", "", Instant.EPOCH, number)))
                                .written(nonce));
                then.ledger = then.ledger.frozenAt(number);
            });
        }
        if (frozenAt > 0 && bounds.fenced()) {
            happening.to(
                    () -> "the operator raises the sink",
                    then -> then.store = then.store.raising(
                            Worlds.DISK, new Mark(new FencingToken(frozenAt), MarkOwner.ofFreeze("ops"))));
        }
        if (record.isFrozen() && world.store().value().observed().isVacant()) {
            happening.fault(Fault.FREEZE, () -> "the operator thaws", then -> thaw(then, record, frozenAt, nonce));
        }
    }

    private static void thaw(Now then, LeaderRecord record, long frozenAt, String nonce) {
        long saw = then.store.mark(Worlds.DISK).map(m -> m.token().value()).orElse(0L);
        long number = Math.max(Math.max(saw, frozenAt), record.term()) + 1;
        if (!then.store.marks().isEmpty()) {
            then.store =
                    then.store.raising(Worlds.DISK, new Mark(new FencingToken(number), MarkOwner.ofThaw("ops", saw)));
        }
        then.store = then.store.with(record.withFreeze(Optional.empty())
                .vacated(number, Instant.EPOCH)
                .written(nonce));
        then.ledger = then.ledger.frozenAt(0);
    }

    void restore(Happening happening, World world) {
        LeaderRecord record = world.store().value().record();
        Optional<LeaderRecord> backup = world.ledger().value().backup();
        if (backup.isEmpty() && bounds.may().contains(Fault.RESTORE)) {
            happening.to(() -> "a backup is made", then -> then.ledger = then.ledger.backup(record));
        } else if (backup.isPresent() && !backup.get().equals(record)) {
            happening.fault(
                    Fault.RESTORE, () -> "the backup is restored", then -> then.store = then.store.with(backup.get()));
        }
    }
}
