package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.quorum.Ascent.Report;
import dev.incumbent.quorum.Ascent.Step;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Raises the level while this node leads, as {@link Ascent} decides, and keeps nodes below it from becoming voters. Run on a thread of its own until that is
 * interrupted; thread-safe otherwise.
 */
final class Ascending implements Runnable {
    /** {@code TOO-OLD why}: a member is refused for good, until it is of a newer build. */
    static final String TOO_OLD = "TOO-OLD";

    private static final Duration ROUND = Duration.ofSeconds(1);

    private final Supplier<List<Member>> members;
    private final Levels levels;
    private final Replica replica;
    private final SharedTable table;
    private final Consumer<String> says;
    private final ReentrantLock lock = new ReentrantLock();
    private final Ascent ascent = new Ascent();

    /** For that replica, which applies its log to that table. */
    Ascending(
            Supplier<List<Member>> members, Levels levels, Replica replica, SharedTable table, Consumer<String> says) {
        this.members = members;
        this.levels = levels;
        this.replica = replica;
        this.table = table;
        this.says = says;
    }

    @Override
    public void run() {
        try {
            while (replica.halt().isEmpty()) {
                if (table.level() < Entry.SUPPORTED) {
                    round();
                }
                SystemTimeline.sleep(ROUND);
            }
        } catch (InterruptedException end) {
            // The node is closed.
        }
    }

    /** Asks every voter, and does what follows. */
    void round() {
        if (!replica.isLeading()) {
            locked(ascent::follows);
            return;
        }
        Set<String> voters = replica.voters().ids();
        Step step = next(voters, ask(voters));
        if (step instanceof Step.Bind bind) {
            bind(bind);
        } else if (step instanceof Step.Raise raise) {
            raise(raise.level());
        }
    }

    private Step next(Set<String> voters, Map<String, Optional<Report>> told) {
        lock.lock();
        try {
            ascent.configured(voters);
            told.forEach((voter, report) -> report.ifPresentOrElse(ascent::reported, () -> ascent.silent(voter)));
            return replica.voters().ids().equals(voters)
                    ? ascent.next(table.level())
                    : new Step.Wait("the voters changed");
        } finally {
            lock.unlock();
        }
    }

    private Map<String, Optional<Report>> ask(Set<String> voters) {
        Map<String, CompletableFuture<Optional<Report>>> asked = new LinkedHashMap<>();
        for (String voter : voters) {
            boolean isOwn = voter.equals(levels.own().voter());
            asked.put(
                    voter,
                    isOwn
                            ? CompletableFuture.completedFuture(Optional.of(levels.own()))
                            : member(voter)
                                    .map(levels::ask)
                                    .orElse(CompletableFuture.completedFuture(Optional.empty())));
        }
        Map<String, Optional<Report>> told = new LinkedHashMap<>();
        asked.forEach((voter, report) ->
                told.put(voter, report.join().filter(one -> one.voter().equals(voter))));
        return told;
    }

    /** As the log has told of them, or as this node was started with. */
    List<Member> members() {
        return members.get();
    }

    private Optional<Member> member(String voter) {
        return members.get().stream()
                .filter(one -> one.name().equals(Replica.Peer.nameOf(voter)))
                .findFirst();
    }

    private void bind(Step.Bind bind) {
        for (Report disk : bind.disks()) {
            if (disk.voter().equals(levels.own().voter())) {
                bindOwn(bind.level());
            } else {
                member(disk.voter())
                        .ifPresent(member ->
                                levels.askToBind(member, disk, bind.level()).join());
            }
        }
    }

    void bindOwn(int level) {
        try {
            levels.bind(levels.own(), level);
        } catch (ClosedByInterruptException end) {
            // The node is closed.
        } catch (IOException e) {
            says.accept("the marker of this node cannot be bound to level " + level + ": " + e);
        }
    }

    private void raise(int level) {
        var unused = replica.write(Line.of(Entry.LEVEL, Integer.toString(level)))
                .whenComplete((answer, failure) -> {
                    locked(ascent::risen);
                    if (Words.DONE.equals(answer)) {
                        says.accept("the quorum is at level " + level + " now: builds that do not know it are refused");
                    }
                });
    }

    /**
     * Takes a member's new disk in the place of its last one, if it knows the level. The answer is {@link Words#DONE}, or says why not: until it is
     * of a newer build where it begins with {@link #TOO_OLD}.
     */
    CompletableFuture<String> takeIn(Replica.Peer next) {
        return change(List.of(next), () -> replica.replace(next));
    }

    /** Changes the membership by those disks, if all of them know the level; the answer is as above. */
    CompletableFuture<String> change(List<Replica.Peer> added, Supplier<CompletableFuture<String>> how) {
        if (!asked(ascent::changes)) {
            return CompletableFuture.completedFuture(Line.of(Words.LATER, "the level is rising"));
        }
        CompletableFuture<String> refusal = CompletableFuture.completedFuture("");
        for (Replica.Peer next : added) {
            refusal = refusal.thenCompose(why -> why.isEmpty() ? bound(next) : CompletableFuture.completedFuture(why));
        }
        return refusal.thenCompose(why -> why.isEmpty() ? how.get() : CompletableFuture.completedFuture(why))
                .whenComplete((answer, failure) -> locked(ascent::changed));
    }

    /** Empty once that disk is bound to the level of the log, so that it may be sent all of it. */
    private CompletableFuture<String> bound(Replica.Peer next) {
        int level = table.level();
        if (level == 0) {
            return CompletableFuture.completedFuture("");
        }
        return levels.ask(next.member())
                .thenCompose(report -> report.filter(one -> one.supports() >= level)
                        .map(one -> levels.askToBind(next.member(), one, level))
                        .orElse(CompletableFuture.completedFuture(report)))
                .thenApply(report -> refusal(next, level, report));
    }

    private static String refusal(Replica.Peer next, int level, Optional<Report> report) {
        int supports = report.map(Report::supports).orElse(0);
        if (supports < level) {
            String name = next.member().name();
            return Line.of(
                    TOO_OLD,
                    "node " + name + " becomes no voter: the quorum's log is at level " + level + ", and the build of "
                            + name + " knows levels up to " + supports + "; start it with a newer build");
        }
        boolean isBound = report.filter(one -> one.voter().equals(next.id()) && one.bound() >= level)
                .isPresent();
        return isBound ? "" : Line.of(Words.LATER, "the disk " + next.disk() + " is not bound to level " + level);
    }

    private void locked(Runnable work) {
        lock.lock();
        try {
            work.run();
        } finally {
            lock.unlock();
        }
    }

    private boolean asked(BooleanSupplier question) {
        lock.lock();
        try {
            return question.getAsBoolean();
        } finally {
            lock.unlock();
        }
    }
}
