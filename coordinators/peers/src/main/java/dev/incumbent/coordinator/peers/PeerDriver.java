package dev.incumbent.coordinator.peers;

import dev.incumbent.Health;
import dev.incumbent.Leadership;
import dev.incumbent.Trace;
import dev.incumbent.Transfer;
import dev.incumbent.coordinator.peers.PeerTeller.PeerObservation;
import dev.incumbent.internal.LeaseClock;
import dev.incumbent.internal.Platform;
import dev.incumbent.internal.Strand;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Role;
import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.raft.RaftDisk;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import dev.incumbent.time.Timeline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One member of a group as long as its candidacy lasts. One thread owns the machine: it tells it what happens, does what it says in order, persists before it sends, and wakes it.
 *
 * <p>Where the disk or a step fails, the member is as one whose process has ended: the machine is told nothing more, the guard says no, and the connections end.
 */
final class PeerDriver implements MemberActions, PeerTransport.Receiver, PeerTerms.MemberTurns {
    /** Messages that were received and wait for their turn; more are dropped. */
    private static final int MOST_RECEIVED = 1_024;

    private static final Duration FLUSH = Duration.ofMillis(200);

    private final PeerSetup setup;
    private final Platform platform;
    private final LeaseClock clock;
    private final PeerTransport transport;
    private final Optional<PeerDisk> disk;
    private final MemberMachine machine;
    private final PeerTeller teller;
    private final Strand strand;
    private final PeerTerms terms;
    private final AtomicInteger received = new AtomicInteger();
    private final CompletableFuture<Void> left = new CompletableFuture<>();
    // Owned by the strand.
    private final Map<MemberId, Candidate> candidates = new TreeMap<>();
    private Optional<Timeline.Alarm> wake = Optional.empty();
    private boolean isHealthy = true;
    private boolean isClosing;
    private boolean isDead;
    private volatile boolean isOver;
    private volatile MemberView view;

    /** What others may know of the last step; {@code since} is when its role became what it is, {@code stopsSince} since when a task stops. */
    private record MemberView(
            Role role,
            Instant since,
            Optional<Candidate> leader,
            long term,
            OptionalLong stopsSince,
            Optional<PeerLeadership> led) {}

    PeerDriver(
            PeerSetup setup,
            Platform platform,
            PeerTransport transport,
            Optional<PeerDisk> disk,
            Function<MemberActions, MemberMachine> machine) {
        this.setup = setup;
        this.platform = platform;
        this.clock = new LeaseClock(platform.timeline());
        this.transport = transport;
        this.disk = disk;
        this.machine = machine.apply(this);
        this.teller = new PeerTeller(setup, platform, clock);
        this.view = new MemberView(
                Role.CANDIDATE, clock.moment().wall(), Optional.empty(), 0, OptionalLong.empty(), Optional.empty());
        this.strand = platform.strand(() -> {}, Trace.NONE);
        this.terms = new PeerTerms(setup, platform, clock, teller, this);
    }

    /** Begins with what was on the disk. */
    void start(Optional<RaftDisk> there) {
        candidates.put(setup.me(), setup.candidate());
        strand.execute(() -> {
            teller.standing();
            turn(now -> machine.started(there, now));
            if (machine.isWiped()) {
                teller.trouble(wiped());
            }
        });
        transport.open(this);
        platform.watchTheClocks(setup.lease().dividedBy(2), this::compare);
    }

    private String wiped() {
        return "the disk of " + setup.me()
                + " is empty: it takes part once every other member has told its term; a new group is founded first,"
                + " on each member";
    }

    /** After a suspend alarms ring late: looks at once what is due. */
    private boolean compare() {
        clock.tick();
        terms.running().ifPresent(PeerTaskRun::stopIfDue);
        strand.execute(() -> turn(machine::woken));
        return !isOver;
    }

    @Override
    public MemberMachine machine() {
        return machine;
    }

    @Override
    public void turn(Consumer<Moment> event) {
        if (isOver || isDead) {
            return;
        }
        boolean wasWiped = machine.isWiped();
        try {
            event.accept(clock.moment());
        } catch (UncheckedIOException diskFailed) {
            die("term and vote cannot be written to "
                    + disk.map(one -> one.file().toString()).orElse("no disk") + ", so this member takes part no more: "
                    + diskFailed.getCause());
            return;
        } catch (RuntimeException | Error stepFailed) {
            die("a step of " + setup.me() + " failed, so this member takes part no more: " + stepFailed);
            return;
        }
        if (wasWiped && !machine.isWiped()) {
            teller.mended(wiped());
        }
        terms.stepped();
        publish();
        wake.ifPresent(Timeline.Alarm::cancel);
        long at = machine.wakeAtNanos();
        wake = at == Step.NEVER
                ? Optional.empty()
                : Optional.of(platform.timeline()
                        .at(clock.onTimeline(at), () -> strand.execute(() -> turn(machine::woken))));
    }

    @Override
    public void soon(Runnable what) {
        strand.execute(what);
    }

    @Override
    public void changed() {
        publish();
    }

    private void publish() {
        Optional<PeerTerm> term = terms.current();
        Role role = term.map(PeerDriver::role).orElse(Role.CANDIDATE);
        Optional<Candidate> leader = machine.leader()
                .filter(one -> !one.equals(setup.me()) || role == Role.LEADER)
                .map(this::candidate);
        long number = setup.kind().isSafe() ? machine.term() : 0;
        OptionalLong stopsSince = term.map(PeerTerm::stopsSince).orElse(OptionalLong.empty());
        Optional<PeerLeadership> led =
                term.filter(one -> one.hasBegun() && !one.isEnded()).map(PeerTerm::leadership);
        boolean isSame = role == view.role() && led.equals(view.led());
        view = new MemberView(role, isSame ? view.since() : clock.moment().wall(), leader, number, stopsSince, led);
        teller.leads(number, leader, clock.moment().wall());
    }

    private static Role role(PeerTerm term) {
        if (term.isEnded()) {
            return Role.RESIGNING;
        }
        return term.hasBegun() ? Role.LEADER : Role.FENCING;
    }

    /** A member that leads may not have told yet who it is. */
    private Candidate candidate(MemberId member) {
        return candidates.getOrDefault(member, new Candidate(new CandidateId(member.value()), member.value(), ""));
    }

    @Override
    public void persist(RaftDisk next) {
        try {
            disk.orElseThrow().write(next);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its state may be ahead of its disk: nobody is told of it any more. */
    private void die(String why) {
        isDead = true;
        teller.trouble(why);
        transport.close();
        terms.giveUp(EndReason.LEASE_LOST);
        closeWhenOver();
    }

    @Override
    public long passedNanos() {
        return clock.passedNanos();
    }

    @Override
    public void send(MemberId to, byte[] message) {
        transport.send(to, message);
    }

    @Override
    public void begin(long term) {
        terms.begin(term);
    }

    @Override
    public void stop(long term) {
        terms.stop(term);
    }

    @Override
    public void termOver() {
        publish();
        closeWhenOver();
    }

    @Override
    public Optional<EndReason> barred() {
        if (isDead) {
            return Optional.of(EndReason.LEASE_LOST);
        }
        if (isClosing) {
            return Optional.of(EndReason.CLOSED);
        }
        return isHealthy ? Optional.empty() : Optional.of(EndReason.UNHEALTHY);
    }

    @Override
    public void standBack() {
        turn(now -> machine.setAble(false, now));
        long at = platform.timeline().nanos() + setup.lease().toNanos();
        platform.timeline().at(at, () -> strand.execute(this::standAgain));
    }

    private void standAgain() {
        if (isHealthy && !isClosing) {
            turn(now -> machine.setAble(true, now));
        }
    }

    @Override
    public void connected(MemberId member, Candidate candidate) {
        strand.execute(() -> {
            candidates.put(member, candidate);
            publish();
        });
    }

    @Override
    public void received(MemberId from, byte[] message) {
        if (received.incrementAndGet() > MOST_RECEIVED) {
            received.decrementAndGet();
            return;
        }
        strand.execute(() -> {
            received.decrementAndGet();
            turn(now -> {
                try {
                    machine.received(from, message, now);
                } catch (MessageException e) {
                    teller.trouble("what " + from + " sent is not understood: " + e.getMessage());
                }
            });
        });
    }

    /** Requests are done soon, where this member leads that term still. */
    @Override
    public PeerStanding asked(PeerQuestion question) {
        if (question instanceof PeerQuestion.HandOver one) {
            strand.execute(() -> {
                if (leads(one.term())) {
                    terms.transfer(one.successor(), memberOf(one.successor()), new CompletableFuture<>());
                }
            });
        } else if (question instanceof PeerQuestion.GiveUp one) {
            strand.execute(() -> {
                if (leads(one.term())) {
                    terms.giveUp(EndReason.RESIGNED);
                }
            });
        }
        return standing();
    }

    private boolean leads(long term) {
        return terms.current().filter(one -> one.number() == term).isPresent();
    }

    private PeerStanding standing() {
        MemberView seen = view;
        Optional<PeerLeadership> holding = seen.led().filter(PeerLeadership::holds);
        long term = holding.map(led -> led.term().number()).orElse(seen.term());
        return new PeerStanding(
                setup.kind(),
                setup.election(),
                setup.me(),
                setup.candidate(),
                term,
                holding.isPresent(),
                setup.lease(),
                setup.kind().isSafe() ? holding.map(PeerLeadership::remaining).orElse(Duration.ZERO) : Duration.ZERO,
                seen.since());
    }

    @Override
    public void trouble(String what) {
        strand.execute(() -> teller.trouble(what));
    }

    void setHealthy(boolean healthy, Optional<String> why) {
        strand.execute(() -> {
            isHealthy = healthy;
            why.ifPresent(reason -> teller.trouble("neither leads nor stands: " + reason));
            if (healthy) {
                teller.trouble()
                        .filter(last -> last.startsWith("neither leads"))
                        .ifPresent(teller::mended);
            } else {
                terms.giveUp(EndReason.UNHEALTHY);
            }
            turn(now -> machine.setAble(isHealthy && !isClosing, now));
        });
    }

    CompletionStage<Void> resign() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        onceLeft(() -> done.complete(null));
        strand.execute(() -> terms.resign().thenAccept(done::complete));
        return done;
    }

    /** Whom it names: a candidate's id, or its name, which is its member's. */
    CompletionStage<Transfer> transfer(CandidateId successor) {
        CompletableFuture<Transfer> done = new CompletableFuture<>();
        onceLeft(() -> done.complete(new Transfer.Aborted("this process has left " + setup.election())));
        strand.execute(() -> {
            terms.transfer(successor, memberOf(successor), done);
        });
        return done;
    }

    private Optional<MemberId> memberOf(CandidateId successor) {
        return candidates.entrySet().stream()
                .filter(entry -> !entry.getKey().equals(setup.me()))
                .filter(entry -> entry.getValue().id().equals(successor)
                        || entry.getKey().value().equals(successor.value()))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private void onceLeft(Runnable then) {
        CompletionStage<Void> end = left;
        end.thenRun(then);
    }

    PeerTeller teller() {
        return teller;
    }

    void observe(PeerObservation observation) {
        strand.execute(() -> teller.observe(observation));
    }

    void leave(PeerObservation observation) {
        strand.execute(() -> teller.leave(observation));
    }

    Health health() {
        MemberView seen = view;
        return new Health(
                seen.role(),
                seen.leader(),
                seen.term(),
                seen.led().filter(Leadership::holds).isPresent(),
                !isOver,
                isStalled(seen),
                teller.trouble());
    }

    private boolean isStalled(MemberView seen) {
        return seen.stopsSince().isPresent()
                && clock.nanos() - seen.stopsSince().getAsLong()
                        > setup.stopBudget().toNanos();
    }

    /** The term that this member leads, where its guard says yes. Any thread. */
    Optional<Leadership> held() {
        return view.led().filter(Leadership::holds).map(Leadership.class::cast);
    }

    /** Completes once nothing of this member is left. */
    CompletionStage<Void> close() {
        strand.execute(() -> {
            if (!isClosing) {
                isClosing = true;
                terms.giveUp(EndReason.CLOSED);
                turn(now -> machine.setAble(false, now));
                closeWhenOver();
            }
        });
        return left;
    }

    CompletableFuture<Void> left() {
        return left;
    }

    private void closeWhenOver() {
        if (isOver || !(isClosing || isDead) || terms.current().isPresent()) {
            return;
        }
        isOver = true;
        wake.ifPresent(Timeline.Alarm::cancel);
        transport.flush(FLUSH);
        transport.close();
        disk.ifPresent(PeerDisk::close);
        teller.left(
                new IllegalStateException("this process has left " + setup.election() + ": it waits for no term there"),
                () -> {
                    left.complete(null);
                    platform.close();
                });
        strand.close();
    }
}
