package dev.incumbent.simulation;

import dev.incumbent.Candidacy;
import dev.incumbent.Election;
import dev.incumbent.Leadership;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.fence.Sink;
import dev.incumbent.internal.TaskRunner;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Role;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Term;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Setup;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** One process in one election, as its program uses the library: stands, is told to lead, asks, withdraws. All that drives it is the shipped driver. */
final class Player {
    /** The number of no term. */
    static final long NOTHING = 0;

    private static final long NEVER = Long.MIN_VALUE;

    /** By so much at the most does a guard end earlier than it said, because the clock of leases has found out that it slept. */
    private static final long UNNOTICED_SLEEP = 100_000_000;

    private final World world;
    private final SimulatedProcess process;
    private final ElectionName election;
    private Optional<Setup> setup = Optional.empty();
    private Optional<Candidacy> candidacy = Optional.empty();
    private Optional<Candidacy> closed = Optional.empty();
    private Optional<SimulatedTask> closedTask = Optional.empty();
    private Optional<SimulatedTask> task = Optional.empty();
    private Optional<Begun> begun = Optional.empty();
    private boolean wantsToLead;
    private boolean unwell;
    private boolean left;
    private long believed = NOTHING;
    private Optional<Belief> belief = Optional.empty();
    private long believesUntil;
    private long stoodAt;
    private long renewedAt;
    private long guardUntil = NEVER;
    private long ranOutAt = NEVER;

    Player(World world, SimulatedProcess process, ElectionName election) {
        this.world = world;
        this.process = process;
        this.election = election;
    }

    ElectionName election() {
        return election;
    }

    SimulatedProcess process() {
        return process;
    }

    Node node() {
        return process.node();
    }

    Candidate candidate() {
        return process.candidate();
    }

    DriftingClock clock() {
        return node().clock();
    }

    Setup setup() {
        return setup.orElseThrow();
    }

    void standsAs(Setup chosen) {
        setup = Optional.of(chosen);
    }

    ElectionState state() {
        return process.runtime().state(election).orElse(ElectionState.START);
    }

    long draw(long bound) {
        return world.draws().below(node().stream(Node.Stream.TASK), Math.max(1, bound));
    }

    /** Does its program want it to lead, and could it do the work? */
    boolean wantsToLead() {
        return wantsToLead && !unwell;
    }

    /** When its program last had it stand. */
    long stoodAt() {
        return stoodAt;
    }

    /** When it last heard that the lease of its process was granted or renewed. */
    long renewedAt() {
        return renewedAt;
    }

    void renewed() {
        renewedAt = world.now();
    }

    boolean isUnwell() {
        return unwell;
    }

    /** It was closed, and the library has said that nothing of it is left. */
    boolean hasLeft() {
        return left;
    }

    Optional<SimulatedTask> task() {
        return task.filter(SimulatedTask::runs);
    }

    /** The same, unless it is of the candidacy that was closed last: that one's end tells when it has stopped. */
    Optional<SimulatedTask> taskOfItsCandidacy() {
        return task().filter(running -> closedTask.filter(running::equals).isEmpty());
    }

    /** What the guard answers at this instant. */
    boolean guardHolds() {
        return believed() != NOTHING;
    }

    /**
     * The same as {@link #believed}, for after each event: a guard is asked only where it may answer otherwise than before.
     *
     * @param mayHaveChanged has its process's driver run since, or anything else happened that its guard may heed?
     */
    long believedAfter(boolean mayHaveChanged) {
        if (mayHaveChanged || (believed != NOTHING && world.now() >= believesUntil)) {
            Optional<Leadership> led = led();
            believed = led.isPresent() ? led.get().term().number() : NOTHING;
            believesUntil = led.isPresent() ? surelyUntil(led.get()) : Long.MAX_VALUE;
        }
        return believed;
    }

    /** What it believes, and what that record says of it. */
    Belief belief(ObservedRecord record) {
        if (belief.isEmpty() || !belief.get().isOf(believed, record)) {
            belief = Optional.of(Belief.of(this, believed, record));
        }
        return belief.get();
    }

    /** Until when, in true time, its guard answers what it did when it was asked last, unless it may have changed. */
    long believesUntil() {
        return believesUntil;
    }

    private long surelyUntil(Leadership led) {
        return clock().isSuspended() ? world.now() : guardEnds(led) - UNNOTICED_SLEEP;
    }

    /** The number of the term that it believes to lead. */
    long believed() {
        Optional<Leadership> led = led();
        return led.isPresent() ? led.get().term().number() : NOTHING;
    }

    /** What its guard says yes to: as its candidacy tells it, or as its task was told it. */
    private Optional<Leadership> led() {
        if (begun.isEmpty() || !process.isAlive()) {
            return Optional.empty();
        }
        Optional<Leadership> led = candidacy.isPresent() ? candidacy.get().leadership() : Optional.empty();
        return led.isPresent() || task.isEmpty() || !task.get().holds()
                ? led
                : task.get().leadership();
    }

    /** When its guard will refuse unless it is extended, in true time. Guards run through a suspend, the machine's clock does not. */
    long guardEnds() {
        Optional<Leadership> led = led();
        return led.isPresent() ? guardEnds(led.get()) : world.now();
    }

    private long guardEnds(Leadership led) {
        long left = led.remaining().toNanos();
        return clock().isSuspended() ? world.now() + left : clock().trueTimeOf(clock().nanos() + left);
    }

    /** Some of its program's code is called now, and whenever its term is renewed. */
    void listens() {
        task.flatMap(SimulatedTask::leadership).ifPresent(led -> led.onRenewed(validity -> {}));
    }

    void stand() {
        if (process.isClosing()) {
            return;
        }
        Election mine = process.runtime()
                .election(election)
                .guarding(world.sinks().stream()
                        .limit(node().sinksBrought())
                        .map(sink -> new SimulatedSink(world, process, sink))
                        .toArray(Sink[]::new));
        mine = world.power().connected(mine, this);
        wantsToLead = true;
        stoodAt = world.now();
        left = false;
        candidacy = Optional.of(world.canary().candidacy(isAsked() ? standing(mine) : mine.campaign(leadership -> {})));
        if (unwell) {
            candidacy.get().setHealthy(false);
        }
    }

    private Candidacy standing(Election mine) {
        return place() % 4 == 0 ? mine.campaign() : mine.campaign(new SimulatedListener(world, this));
    }

    /** Where candidacies are asked, every other one is. */
    private boolean isAsked() {
        return world.profile().asked() && place() % 2 == 0;
    }

    private int place() {
        return node().index() + world.elections().indexOf(election);
    }

    void withdraw() {
        wantsToLead = false;
        candidacy.ifPresent(closing -> {
            candidacy = Optional.empty();
            closed = Optional.of(closing);
            closedTask = task;
            node().guardsMayChange();
            CompletionStage<Void> done = closing.closeAsync();
            done.thenRun(this::closed);
            world.promised(process, "leaving " + election, done);
        });
    }

    /** Its program closes all elections. */
    void closes() {
        wantsToLead = false;
    }

    void closed() {
        left = !wantsToLead;
    }

    void well(boolean isWell) {
        unwell = !isWell;
        candidacy.ifPresent(standing -> standing.setHealthy(isWell));
    }

    void reaches(long position) {
        candidacy.ifPresent(standing -> standing.reportPosition(position));
    }

    void resign() {
        candidacy.ifPresent(standing -> {
            world.inspectors().resigns(this);
            world.promised(process, RepeatInvariants.RESIGNING + election, standing.resign());
        });
    }

    void transferTo(Candidate successor) {
        candidacy.ifPresent(
                standing -> world.promised(process, "transferring " + election, standing.transferTo(successor.id())));
    }

    /** Its program campaigns although it stands: that is refused, and changes nothing. */
    void campaignsOnceMore() {
        try {
            process.runtime().election(election).campaign(leadership -> {});
            world.violated("AProcessStandsOnce", candidate() + " stands twice in " + election);
        } catch (IllegalStateException standsAlready) {
            world.reach(Milestone.CAMPAIGNED_ONCE_MORE);
        }
    }

    /** Its program goes on with the candidacy that it closed last, as if it stood yet; nothing may come of that. */
    void callsWhatItClosed(Candidate successor) {
        closed.ifPresent(former -> {
            world.promised(process, "resigning once more in " + election, former.resign());
            world.promised(process, "transferring once more in " + election, former.transferTo(successor.id()));
            former.reportPosition(1);
            world.promised(process, "leaving once more " + election, former.closeAsync());
        });
    }

    /** It is told to suspect whom the record names, after it has heard it or not. */
    void suspects(LeaderRecord record, boolean hears) {
        record.leader().ifPresent(leader -> {
            if (hears) {
                post(new Event.LeaderHeard(leader.id(), record.term()));
            }
            post(new Event.LeaderSuspected(leader.id(), record.term()));
        });
    }

    void post(Event event) {
        process.runtime().post(election, event);
    }

    /** A swap of its was sent; a claim that is under way when its program says that it is unwell must come to nothing. */
    void swaps(LeaderRecord next, CompletionStage<Swap> swap) {
        boolean claims = next.leader()
                .filter(leader -> leader.id().equals(candidate().id()) && next.term() > 0)
                .isPresent();
        if (claims && node().isUnwellAtTheNextClaim() && process.isAlive()) {
            world.reach(Milestone.UNWELL_WHILE_CLAIMING);
            world.agenda().in(0, () -> well(false));
        }
        swap.whenComplete((told, failure) -> {
            if (claims && failure != null && world.storeShows(election, next.nonce())) {
                world.reach(Milestone.REPLY_LOST_AFTER_CLAIM);
            }
        });
    }

    /** The library runs its task for a term. */
    TaskRunner.Run taskOf(Leadership leadership, TaskRunner.Returned returned) {
        SimulatedTask.Manner manner =
                node().takesAStubbornTask() ? SimulatedTask.Manner.STUBBORN : SimulatedTask.Manner.GOOD;
        SimulatedTask next = new SimulatedTask(this, leadership, begun.orElseThrow(), manner, returned);
        task = Optional.of(next);
        world.promised(process, "the end of " + leadership.term(), leadership.ended());
        if (node().listenersThrow()) {
            leadership.onRenewed(validity -> {
                throw new IllegalStateException("a listener that throws");
            });
        }
        if (node().isStubbornForEver()) {
            next.neverStops();
        }
        return next;
    }

    /** The machine begins a term. */
    void begins(Term term) {
        task().ifPresent(running -> world.violated(
                "CallbacksArePaired", term + " begins while the task of " + running.term() + " still runs"));
        begun = Optional.of(world.begin(this, term));
        if (world.record(election()).record().cordons().cover(candidate())) {
            world.reach(Milestone.CORDONED_AND_LEADS);
        }
        if (candidate().priority() > 0) {
            world.reach(Milestone.LEADS_BY_PRIORITY);
        }
        if (!candidate().rank().version().isEmpty()) {
            world.reach(Milestone.LEADS_WITH_A_VERSION);
        }
        if (isAsked()) {
            world.reach(Milestone.LED_WITHOUT_A_TASK);
            SimulatedTask asked = SimulatedTask.asked(this, term, begun.get());
            task = Optional.of(asked);
            asked.begin();
        }
    }

    /** The machine ends the term that it began. */
    void ends(EndReason reason) {
        begun.ifPresent(that -> world.end(this, that, reason));
        task.ifPresent(SimulatedTask::termEnded);
    }

    /** The machine has taken a step. */
    void stepped(ElectionState next) {
        noteRunningOut();
        guardUntil = next.role() == Role.LEADER ? next.validUntilNanos(setup().timing()) : NEVER;
    }

    /** Has its guard come to refuse by itself, not longer ago than that in true time? */
    boolean ranOutWithin(long nanos) {
        long end = guardUntil == NEVER ? ranOutAt : clock().trueTimeOf(guardUntil);
        return end != NEVER && end <= world.now() && world.now() - end <= nanos;
    }

    private void noteRunningOut() {
        if (guardUntil != NEVER && clock().nanos() >= guardUntil) {
            ranOutAt = clock().trueTimeOf(guardUntil);
        }
    }

    /** The task has asked its guard, and writes to every sink; between the two a pause may fall. */
    void write(SimulatedTask writer) {
        long gap = node().gapBeforeEffect();
        if (gap == 0) {
            send(writer);
        } else {
            world.agenda().in(gap, () -> send(writer));
        }
    }

    private void send(SimulatedTask writer) {
        for (SinkId id : setup().sinks().keySet()) {
            SinkModel sink = world.sink(id);
            node().toSinks().carry(() -> world.deliver(sink, writer, this));
        }
    }

    void die() {
        task.ifPresent(SimulatedTask::die);
    }
}
