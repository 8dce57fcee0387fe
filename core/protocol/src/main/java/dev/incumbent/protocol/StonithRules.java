package dev.incumbent.protocol;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Feature;
import dev.incumbent.model.Holder;
import dev.incumbent.model.HolderProof;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.NodeBoot;
import dev.incumbent.model.Role;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How whoever may still act is turned off before a term begins.
 *
 * <p>A claim lists its process as a holder, and only a vacate after its task has returned, or a proof, takes a holder off the list. So a winner owes the proof of every holder before it, whoever
 * has led in between: it asks for each, writes what was proved, and only then raises its sinks. A fence agent is started only while the guard holds for all of its time.
 */
final class StonithRules {
    private StonithRules() {}

    /** Is it asked that whoever may still act is turned off? Then nobody is preempted: a suspicion must not turn a machine off. */
    static boolean isAsked(Draft draft) {
        return draft.setup.stonith().isPresent();
    }

    /** Why that record has no room for this process as one more holder, if it has none. */
    static Optional<String> refusal(Draft draft, LeaderRecord record) {
        return draft.setup.stonith().flatMap(own -> {
            LeaderRecord settled = withoutThePast(draft, own.on(), record);
            return settled.holders().refusal(mine(draft, own, Long.MAX_VALUE));
        });
    }

    /** The claim, with this process among the holders, and without those of whom this process itself knows that they act no more. */
    static LeaderRecord claiming(Draft draft, LeaderRecord claim) {
        Optional<StonithSetup> own = draft.setup.stonith();
        if (own.isEmpty()) {
            return claim;
        }
        Set<Feature> requires = new TreeSet<>(claim.requires());
        requires.add(Feature.STONITH);
        LeaderRecord settled = withoutThePast(draft, own.get().on(), claim);
        return settled.withRequires(requires).withHolders(settled.holders().with(mine(draft, own.get(), claim.term())));
    }

    private static Holder mine(Draft draft, StonithSetup own, long term) {
        return new Holder(term, draft.me(), own.on());
    }

    /** Holders that were this very process, whose task of then has returned, and those of an earlier boot of this node. */
    private static LeaderRecord withoutThePast(Draft draft, NodeBoot here, LeaderRecord record) {
        LeaderRecord next = record;
        for (Holder holder : record.holders().all()) {
            if (holder.candidate().equals(draft.me())) {
                next = next.withProof(holder.term(), proof(draft, HolderProof.Kind.RETURNED, "its task has returned"));
            } else if (holder.on().isAnotherBootOf(here)) {
                next = next.withProof(
                        holder.term(),
                        proof(draft, HolderProof.Kind.REBOOTED, "its node has booted since: " + here.bootId()));
            }
        }
        return next;
    }

    private static HolderProof proof(Draft draft, HolderProof.Kind kind, String why) {
        return new HolderProof(kind, draft.me().value(), why, draft.now.wall());
    }

    /** Is every earlier holder proved to act no more, and does the record say so? If not, asks for the proofs, and writes down those that have come. */
    static boolean isDone(Draft draft) {
        Optional<StonithSetup> own = draft.setup.stonith();
        List<Holder> owed = own.isEmpty() ? List.of() : owed(draft);
        if (owed.isEmpty()) {
            return true;
        }
        for (Holder holder : owed) {
            Tenure.Holding holding = draft.held().holding();
            boolean open = !holding.asked().containsKey(holder.term())
                    && !holding.proved().containsKey(holder.term());
            if (draft.role == Role.FENCING && open) {
                ask(draft, own.get(), holder);
            }
        }
        boolean written = owed.stream()
                .noneMatch(holder -> draft.held().holding().proved().containsKey(holder.term()));
        if (draft.role == Role.FENCING
                && !written
                && draft.attempt.isEmpty()
                && draft.isDue(draft.known.notBefore().swapAtNanos())) {
            draft.swap(Attempt.Kind.SETTLE_HOLDERS, settled(draft, draft.record()));
        }
        return false;
    }

    /** All but this process in its term. */
    private static List<Holder> owed(Draft draft) {
        long mine = draft.held().term().number();
        return draft.record().holders().all().stream()
                .filter(holder -> holder.term() != mine)
                .toList();
    }

    /** Starts the agent if the guard holds for all of its time. A guard that has not done so within a lease never will. */
    private static void ask(Draft draft, StonithSetup own, Holder holder) {
        if (draft.now.nanos() + own.bound().toNanos() <= draft.validUntil()) {
            asked(draft, holder.term(), Optional.of(draft.validUntil()));
            draft.emit(new Effect.FenceHolder(holder, draft.validUntil()));
            return;
        }
        long patience = draft.setup.timing().lease().toNanos();
        if (draft.isDue(draft.held().won().atNanos() + patience)) {
            unproved(
                    draft,
                    holder,
                    "the guard never held for the " + own.bound().toMillis() + " ms that the fence agent may take");
        }
    }

    private static void asked(Draft draft, long term, Optional<Long> untilNanos) {
        Tenure.Holding holding = draft.held().holding();
        Map<Long, Long> next = new TreeMap<>(holding.asked());
        next.remove(term);
        untilNanos.ifPresent(until -> next.put(term, until));
        draft.tenure = Optional.of(draft.held().holding(new Tenure.Holding(next, holding.proved())));
    }

    /** That holder acts no more. The record says so next, be it by the vacate of a term that has ended meanwhile. */
    static void fenced(Draft draft, long term, HolderProof proof) {
        if (!isAsked(draft, term)) {
            return;
        }
        asked(draft, term, Optional.empty());
        Tenure.Holding holding = draft.held().holding();
        Map<Long, HolderProof> proved = new TreeMap<>(holding.proved());
        proved.put(term, proof);
        draft.tenure = Optional.of(draft.held().holding(new Tenure.Holding(holding.asked(), proved)));
        draft.record().holders().of(term).ifPresent(holder -> draft.tell(new Notice.HolderFenced(holder, proof)));
    }

    /** Not shown: another candidate may fare better. */
    static void unfenced(Draft draft, long term, String why) {
        if (!isAsked(draft, term)) {
            return;
        }
        asked(draft, term, Optional.empty());
        draft.record().holders().of(term).ifPresent(holder -> unproved(draft, holder, why));
    }

    private static void unproved(Draft draft, Holder holder, String why) {
        draft.tell(new Notice.HolderUnfenced(holder, why));
        if (draft.role == Role.FENCING) {
            draft.end(EndReason.TASK_FAILED);
        }
    }

    private static boolean isAsked(Draft draft, long term) {
        return draft.tenure.filter(t -> t.holding().asked().containsKey(term)).isPresent();
    }

    /** Gives up those of whom nothing was heard in time, such as where the effect was never performed: whatever was begun has ended, and the term must not stay for ever. */
    static void giveUpTheSilent(Draft draft) {
        long grace = draft.setup.timing().requestTimeout().toNanos();
        for (Map.Entry<Long, Long> one : draft.held().holding().asked().entrySet()) {
            if (draft.isDue(one.getValue() + grace)) {
                unfenced(draft, one.getKey(), "nothing was heard of the fence agent in its time");
            }
        }
    }

    /** May a fence agent of this term still turn somebody off? Then nobody else may claim yet. */
    static boolean isUnderWay(Tenure mine) {
        return !mine.holding().asked().isEmpty();
    }

    private static LeaderRecord settled(Draft draft, LeaderRecord record) {
        LeaderRecord next = record;
        for (Map.Entry<Long, HolderProof> one : draft.held().holding().proved().entrySet()) {
            if (next.holders().of(one.getKey()).isPresent()) {
                next = next.withProof(one.getKey(), one.getValue());
            }
        }
        return next;
    }

    /** What a vacate writes of the holders: what was proved, and that this process acts no more, unless its task still runs. */
    static LeaderRecord vacated(Draft draft, LeaderRecord vacant) {
        if (vacant.holders().isEmpty()) {
            return vacant;
        }
        LeaderRecord settled = draft.tenure.isPresent() ? settled(draft, vacant) : vacant;
        boolean acts = draft.tenure.filter(t -> t.task().runs()).isPresent();
        return acts ? settled : without(draft.me(), settled);
    }

    private static LeaderRecord without(CandidateId me, LeaderRecord record) {
        LeaderRecord next = record;
        for (Holder holder : record.holders().all()) {
            if (holder.candidate().equals(me)) {
                next = next.withHolders(next.holders().without(holder.term()));
            }
        }
        return next;
    }
}
