package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.quorum.Ascent.Report;
import dev.incumbent.quorum.Replica.Peer;
import dev.incumbent.quorum.Route.Answer;
import dev.incumbent.quorum.Route.Asked;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Takes the quorum from its members to another list of them, in one step, where this node leads. Thread-safe.
 *
 * <p>A member that keeps its name and its addresses keeps its disk. Every other one must listen there already, with an empty disk that waits to be taken in
 * ({@code --join}), and know the level of the log: it catches up with the log before it votes. All that stay must answer: Ratis lets nobody vote for a member
 * that it has not heard of, so one that missed the change could keep the others from a majority until it has caught up.
 */
final class Membership {
    static final String PATH = "/v1/members";
    private static final int FEWEST = 3;

    private final Replica replica;
    private final SharedTable table;
    private final Levels levels;
    private final Ascending ascending;
    private final Consumer<String> says;

    Membership(Replica replica, SharedTable table, Levels levels, Ascending ascending, Consumer<String> says) {
        this.replica = replica;
        this.table = table;
        this.levels = levels;
        this.ascending = ascending;
        this.says = says;
    }

    /** Why a change is refused. */
    private static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final int status;

        private Refused(int status, String sentence) {
            super(sentence);
            this.status = status;
        }

        private static Refused forGood(String sentence) {
            return new Refused(409, sentence);
        }

        private static Refused later(String sentence) {
            return new Refused(503, sentence);
        }

        private Answer answer() {
            return new Answer(status, getMessage() + "\n");
        }
    }

    /** {@code POST /v1/members} with the members of the new list, one a line. */
    CompletableFuture<Answer> change(Asked asked) {
        if (!asked.rights().contains(Right.OPERATE)) {
            return CompletableFuture.completedFuture(Answer.without(Right.OPERATE));
        }
        try {
            return changed(wanted(Line.lines(asked.body())));
        } catch (Refused refused) {
            return CompletableFuture.completedFuture(refused.answer());
        }
    }

    private static List<Member> wanted(List<String> lines) {
        List<Member> all = new ArrayList<>();
        Set<String> taken = new HashSet<>();
        for (String line : lines) {
            Member member = member(line);
            for (String once : List.of(member.name(), member.address(), member.raftAddress())) {
                if (!taken.add(once)) {
                    throw new Refused(400, "the list of members names " + once + " twice");
                }
            }
            all.add(member);
        }
        if (all.size() < FEWEST || all.size() % 2 == 0) {
            throw new Refused(400, "a quorum has three members or five, and the list names " + all.size());
        }
        return all;
    }

    private static Member member(String line) {
        try {
            return Member.of(line);
        } catch (IllegalArgumentException refused) {
            throw new Refused(400, String.valueOf(refused.getMessage()));
        }
    }

    private CompletableFuture<Answer> changed(List<Member> wanted) {
        refuseUnlessItLeads();
        Set<String> voters = replica.voters().ids();
        List<Peer> now = replica.voters()
                .peers(ascending.members())
                .orElseThrow(() -> Refused.later("the membership is changing already"));
        List<Peer> kept =
                now.stream().filter(peer -> wanted.contains(peer.member())).toList();
        List<Member> added = new ArrayList<>(wanted);
        kept.forEach(peer -> added.remove(peer.member()));
        if (added.isEmpty() && kept.size() == now.size()) {
            return Answer.now(200, "these are the members already\n");
        }
        refuseUnsafe(kept, added);
        return disks(added, now)
                .thenCompose(disks -> disks.refusal()
                        .map(refused -> CompletableFuture.completedFuture(refused.answer()))
                        .orElseGet(() -> changed(voters, kept, disks.all())));
    }

    private void refuseUnlessItLeads() {
        if (!replica.isLeading()) {
            throw Refused.later("this node does not lead"
                    + replica.leader().map(name -> "; " + name + " does").orElse(""));
        }
        if (table.level() == 0) {
            throw Refused.forGood(
                    "the quorum's log is at level 0, at which members do not change: a voter runs an older"
                            + " build, or is down");
        }
    }

    private void refuseUnsafe(List<Peer> kept, List<Member> added) {
        if (added.size() >= kept.size()) {
            throw Refused.forGood("the change would bring " + added.size() + " new disks into a quorum of "
                    + (kept.size() + added.size()) + ", which must be fewer than those that stay (" + kept.size()
                    + "); change it in several steps");
        }
        List<String> silent = silent(kept);
        if (!silent.isEmpty()) {
            throw Refused.later(
                    "members " + silent + " do not answer the one that leads: start them, or leave them out");
        }
    }

    private List<String> silent(List<Peer> kept) {
        return kept.stream()
                .map(peer -> peer.member().name())
                .filter(replica.voters().silent()::contains)
                .toList();
    }

    /** The disks that wait at the new members' addresses. */
    private record Disks(List<Peer> all, Optional<Refused> refusal) {}

    private CompletableFuture<Disks> disks(List<Member> added, List<Peer> now) {
        CompletableFuture<Disks> disks = CompletableFuture.completedFuture(new Disks(List.of(), Optional.empty()));
        for (Member member : added) {
            disks = disks.thenCombine(levels.ask(member), (before, told) -> with(before, member, told, now));
        }
        return disks;
    }

    private static Disks with(Disks before, Member member, Optional<Report> told, List<Peer> now) {
        String where = "member " + member.name() + " at " + member.address();
        if (told.isEmpty()) {
            return refused(
                    before,
                    where + " does not answer as a node: start it there with --join, an empty folder and"
                            + " the new list of members");
        }
        String voter = told.get().voter();
        if (!Peer.nameOf(voter).equals(member.name())) {
            return refused(
                    before,
                    "at " + member.address() + " listens node " + Peer.nameOf(voter) + ", not " + member.name());
        }
        if (now.stream().anyMatch(peer -> peer.id().equals(voter))) {
            return refused(
                    before,
                    where + " has the disk that it has now: a member comes to another address with an"
                            + " empty one; start it there with --join");
        }
        List<Peer> all = new ArrayList<>(before.all());
        all.add(new Peer(member, Peer.diskOf(voter)));
        return new Disks(all, before.refusal());
    }

    private static Disks refused(Disks before, String sentence) {
        return new Disks(before.all(), before.refusal().or(() -> Optional.of(Refused.forGood(sentence))));
    }

    private CompletableFuture<Answer> changed(Set<String> voters, List<Peer> kept, List<Peer> added) {
        List<Peer> next = new ArrayList<>(kept);
        next.addAll(added);
        String list = new Members(0, next).toString();
        says.accept("the members are to become " + list);
        return ascending.change(added, () -> replica.change(voters, next)).thenApply(done -> {
            List<String> answer = Line.fields(done);
            if (answer.get(0).equals(Words.DONE)) {
                says.accept("the members are " + list);
                return new Answer(200, done + "\n");
            }
            String why = answer.get(answer.size() - 1);
            says.accept("the members did not change: " + why);
            return new Answer(answer.get(0).equals(Ascending.TOO_OLD) ? 409 : 503, why + "\n");
        });
    }
}
