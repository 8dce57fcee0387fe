package dev.incumbent.peers.raft;

import dev.incumbent.peers.MemberId;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** How a member begins: from its disk, or, where that is empty, from what all others tell. */
final class WipedRules {
    private WipedRules() {}

    static void started(RaftStep step, Optional<RaftDisk> there) {
        step.promise =
                VotePromise.NONE.muted(step.passed + step.timing.longestLease().toNanos());
        if (there.isPresent()) {
            step.found(there.get());
            step.role = RaftRole.FOLLOWER;
            step.armElection();
        } else {
            step.role = RaftRole.WIPED;
            step.inquiry = Optional.of(new TermInquiry(step.dice, Map.of()));
            step.dueAt = step.now;
        }
    }

    /** Nobody has ever voted, so nothing was forgotten. */
    static void founded(RaftStep step, String group) {
        if (step.role == RaftRole.WIPED) {
            step.promise = VotePromise.NONE;
            begin(step, new RaftDisk(group, 0, Optional.empty()));
        }
    }

    static void receive(RaftStep step, MemberId from, RaftMessage message) {
        TermInquiry inquiry = step.inquiry.orElseThrow();
        if (!(message instanceof RaftMessage.TellTerm told) || told.nonce() != inquiry.nonce()) {
            return;
        }
        Map<MemberId, RaftMessage.TellTerm> all = new TreeMap<>(inquiry.told());
        all.put(from, told);
        step.inquiry = Optional.of(new TermInquiry(inquiry.nonce(), all));
        boolean agree = all.values().stream().allMatch(one -> one.group().equals(told.group()));
        // Whom this member voted for in the greatest of their terms, or before, is not known: its vote in it is spent.
        if (agree && all.size() == step.group.others().size()) {
            long greatest = all.values().stream()
                    .mapToLong(RaftMessage.TellTerm::term)
                    .max()
                    .orElseThrow();
            begin(step, new RaftDisk(told.group(), greatest, Optional.of(step.group.me())));
        }
    }

    /** Asks all others, also those that have answered: their newest answer counts. */
    static void pursue(RaftStep step) {
        if (step.now >= step.dueAt) {
            TermInquiry inquiry = step.inquiry.orElseThrow();
            step.sendOthers(new RaftMessage.AskTerm(inquiry.nonce()));
            step.dueAt = step.now + step.timing.heartbeat().toNanos();
        }
    }

    private static void begin(RaftStep step, RaftDisk disk) {
        step.persist(disk);
        step.inquiry = Optional.empty();
        step.role = RaftRole.FOLLOWER;
        step.armElection();
    }
}
