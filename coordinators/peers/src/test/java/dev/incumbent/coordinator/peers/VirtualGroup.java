package dev.incumbent.coordinator.peers;

import dev.incumbent.ElectionListener;
import dev.incumbent.LeaderTask;
import dev.incumbent.Leadership;
import dev.incumbent.fence.Sink;
import dev.incumbent.internal.LeaseClock;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Term;
import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.PeerGroup;
import dev.incumbent.peers.PeerTiming;
import dev.incumbent.peers.raft.RaftDisk;
import dev.incumbent.peers.raft.RaftTiming;
import dev.incumbent.time.VirtualTimeline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Drivers of one group in virtual time: the shipped driver, machines, disks and bytes, and connections that can be cut. Everything follows from the seed. */
final class VirtualGroup implements AutoCloseable {
    static final ElectionName ELECTION = new ElectionName("billing/closer");
    static final Duration LEASE = RaftTiming.DEFAULT.lease();

    final VirtualTimeline time;
    final List<String> told = new ArrayList<>();
    private final PeerKind kind;
    private final Path folder;
    private final SplittableRandom draws;
    private final List<MemberId> ring;
    private final Map<MemberId, VirtualMember> members = new TreeMap<>();
    private final Set<Set<MemberId>> cuts = new LinkedHashSet<>();
    private List<Sink> sinks = List.of();
    private LeaderTask task = leadership -> {};
    private double loss;
    private BiConsumer<MemberId, Long> elected = (member, term) -> {};
    private double slowness;
    private RaftTiming timing = RaftTiming.DEFAULT;
    private Optional<MemberId> failing = Optional.empty();
    private Optional<PeerFlaw> flaw = Optional.empty();

    /** One process. */
    record VirtualMember(PeerDriver driver, VirtualPlatform platform, PeerDisk disk, MemberTransport transport) {
        /** As by SIGKILL, within its next step that has effects. A member of a bully or a ring has no such machine. */
        void killWithin(int effects) {
            ((WorldMember) driver.machine()).killWithin(effects);
        }
    }

    VirtualGroup(PeerKind kind, int size, long seed, Path folder) {
        this(kind, size, seed, folder, new VirtualTimeline());
    }

    VirtualGroup(PeerKind kind, int size, long seed, Path folder, VirtualTimeline time) {
        this.time = time;
        this.kind = kind;
        this.folder = folder;
        this.draws = new SplittableRandom(seed);
        this.ring = IntStream.range(0, size)
                .mapToObj(i -> new MemberId(Character.toString('a' + i)))
                .toList();
    }

    VirtualGroup guarding(Sink... all) {
        sinks = List.of(all);
        return this;
    }

    VirtualGroup running(LeaderTask each) {
        task = each;
        return this;
    }

    List<MemberId> ring() {
        return ring;
    }

    SplittableRandom draws() {
        return draws;
    }

    /** Each message is lost with that probability. */
    void losing(double probability) {
        loss = probability;
    }

    /** Each message is late with that probability, by up to three seconds, or comes twice. */
    void slowing(double probability) {
        slowness = probability;
    }

    /** Members that start from now on have these durations; lease, heartbeat and stop budget are those of {@link RaftTiming#DEFAULT}. */
    VirtualGroup timing(RaftTiming chosen) {
        timing = chosen;
        return this;
    }

    /** Members that start from now on have that bug. */
    VirtualGroup flawed(Optional<PeerFlaw> bug) {
        flaw = bug;
        return this;
    }

    /** Told of each term that a machine says it leads, before sinks are raised. */
    VirtualGroup telling(BiConsumer<MemberId, Long> hears) {
        elected = hears;
        return this;
    }

    /** That member's next step fails in the midst of its effects. */
    void failing(MemberId member) {
        failing = Optional.of(member);
    }

    /** As an operator founds each member's disk. */
    VirtualGroup found() {
        for (MemberId member : ring) {
            try (PeerDisk disk = disk(member)) {
                disk.write(new RaftDisk(ELECTION.value(), 0, Optional.empty()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return this;
    }

    Path folderOf(MemberId member) {
        return folder.resolve(member.value());
    }

    private PeerDisk disk(MemberId member) {
        return PeerDisk.open(folderOf(member), ELECTION, new PeerGroup(member, ring));
    }

    VirtualGroup startAll() {
        ring.forEach(this::start);
        return this;
    }

    /** Starts its process, or starts it again. */
    void start(MemberId me) {
        if (isUp(me)) {
            return;
        }
        VirtualPlatform platform = new VirtualPlatform(time);
        PeerDisk disk = disk(me);
        MemberTransport transport = new MemberTransport(me, platform);
        Candidate candidate = new Candidate(
                CandidateId.of(me.value(), "host", 1, Long.toHexString(draws.nextLong() >>> 1)), me.value(), "");
        PeerSetup setup = new PeerSetup(
                kind,
                ELECTION,
                me,
                candidate,
                LEASE,
                Duration.ofMillis(300),
                Duration.ofMillis(200),
                sinks,
                Optional.of(leadership -> {
                    told.add(me + " leads " + leadership.term().number());
                    task.lead(leadership);
                }),
                Optional.empty(),
                new Ear(me));
        PeerDriver driver = new PeerDriver(
                setup,
                platform,
                transport,
                kind.isSafe() ? Optional.of(disk) : Optional.empty(),
                machine(new PeerGroup(me, ring), platform));
        members.put(me, new VirtualMember(driver, platform, disk, transport));
        driver.start(kind.isSafe() ? disk.read() : Optional.empty());
    }

    private Function<MemberActions, MemberMachine> machine(PeerGroup group, VirtualPlatform platform) {
        SplittableRandom dice = draws.split();
        return switch (kind) {
            case RAFT -> {
                LeaseClock jumping = new LeaseClock(platform.timeline());
                yield actions -> new WorldMember(
                        actions,
                        between -> new RaftMember(group, timing, dice::nextLong, between),
                        new WorldMember.WorldHooks(
                                flaw,
                                jumping::nanos,
                                () -> killSoon(group.me(), platform),
                                term -> elected.accept(group.me(), term)));
            }
            case BULLY -> actions -> TokenlessMember.bully(group, PeerTiming.DEFAULT, actions);
            case RING -> actions -> TokenlessMember.ring(group, PeerTiming.DEFAULT, actions);
        };
    }

    /** Nothing of it happens from now on; it is gone once the present step has ended. */
    private void killSoon(MemberId member, VirtualPlatform platform) {
        platform.kill();
        time.at(time.nanos(), () -> {
            if (isUp(member) && member(member).platform().equals(platform)) {
                kill(member);
            }
        });
    }

    boolean isUp(MemberId member) {
        return members.containsKey(member);
    }

    VirtualMember member(MemberId member) {
        return Optional.ofNullable(members.get(member)).orElseThrow();
    }

    void kill(MemberId member) {
        VirtualMember killed = member(member);
        killed.platform().kill();
        killed.disk().close();
        members.remove(member);
    }

    void pause(MemberId member, Duration length) {
        member(member).platform().pause(length);
    }

    /** Cuts these off from all others. */
    void cutOff(Set<MemberId> some) {
        for (MemberId one : some) {
            ring.stream().filter(other -> !some.contains(other)).forEach(other -> cuts.add(Set.of(one, other)));
        }
    }

    void heal() {
        cuts.clear();
    }

    void advance(Duration length) {
        time.advance(length);
    }

    /** That member's term, whose guard says yes. */
    Leadership leadership(MemberId member) {
        return Objects.requireNonNull(leaders().get(member), () -> member + " leads");
    }

    /** The members whose guard says yes, with their terms. */
    Map<MemberId, Leadership> leaders() {
        Map<MemberId, Leadership> leaders = new TreeMap<>();
        members.forEach((id, member) -> member.driver().held().ifPresent(led -> leaders.put(id, led)));
        return leaders;
    }

    List<MemberId> others(MemberId than) {
        return ring.stream().filter(one -> !one.equals(than)).toList();
    }

    MemberId leader() {
        return leaders().keySet().iterator().next();
    }

    /** Lets time pass until one member leads, for at most that long; whether one does. */
    boolean awaitLeader(Duration atMost) {
        for (long left = atMost.toMillis(); left > 0 && leaders().isEmpty(); left -= 50) {
            advance(Duration.ofMillis(50));
        }
        return !leaders().isEmpty();
    }

    @Override
    public void close() {
        members.values().forEach(member -> {
            member.platform().kill();
            member.disk().close();
        });
    }

    /** What a member's listener hears. */
    private final class Ear implements ElectionListener {
        private final MemberId whose;

        Ear(MemberId whose) {
            this.whose = whose;
        }

        @Override
        public void onRevoked(Term term, dev.incumbent.model.EndReason reason) {
            told.add(whose + " leads " + term.number() + " no more: " + reason);
        }

        @Override
        public void onTrouble(ElectionName election, String what) {
            told.add(whose + ": " + what);
        }
    }

    /** Connections that lose, delay and are cut. */
    final class MemberTransport implements PeerTransport {
        private final MemberId me;
        private final VirtualPlatform platform;
        private Optional<Receiver> receiver = Optional.empty();

        MemberTransport(MemberId me, VirtualPlatform platform) {
            this.me = me;
            this.platform = platform;
        }

        @Override
        public void open(Receiver hears) {
            receiver = Optional.of(hears);
            ring.forEach(other -> {
                if (!other.equals(me)) {
                    hears.connected(other, new Candidate(new CandidateId(other.value()), other.value(), ""));
                }
            });
        }

        @Override
        public void send(MemberId to, byte[] message) {
            if (failing.equals(Optional.of(me))) {
                throw new AssertionError("a defect");
            }
            if (draws.nextDouble() < loss || cuts.contains(Set.of(me, to))) {
                return;
            }
            boolean isSlow = slowness > 0 && draws.nextDouble() < slowness;
            for (int copies = isSlow ? 2 : 1; copies > 0; copies--) {
                long at = time.nanos() + draws.nextLong(100_000, copies == 2 ? 3_000_000_000L : 20_000_000);
                time.at(
                        at,
                        () -> Optional.ofNullable(members.get(to))
                                .ifPresent(there -> there.transport().arrived(me, message)));
            }
        }

        private void arrived(MemberId from, byte[] message) {
            platform.soon(() -> receiver.ifPresent(hears -> hears.received(from, message)));
        }

        @Override
        public void flush(Duration atMost) {}

        @Override
        public void close() {
            receiver = Optional.empty();
        }
    }
}
