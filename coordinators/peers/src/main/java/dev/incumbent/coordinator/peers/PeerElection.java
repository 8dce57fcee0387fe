package dev.incumbent.coordinator.peers;

import dev.incumbent.Candidacy;
import dev.incumbent.Election;
import dev.incumbent.LeaderChange;
import dev.incumbent.LeaderListener;
import dev.incumbent.LeaderTask;
import dev.incumbent.Observation;
import dev.incumbent.Stonith;
import dev.incumbent.TermListener;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.peers.PeerTeller.PeerObservation;
import dev.incumbent.fence.Sink;
import dev.incumbent.internal.Platform;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.ElectionName;
import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.PeerGroup;
import dev.incumbent.peers.raft.RaftDisk;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The election of a group, as a member of it sees it. Thread-safe. */
final class PeerElection implements Election {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final PeerElections peers;
    private final ElectionName name;
    private final List<Sink> sinks;

    PeerElection(PeerElections peers, ElectionName name, List<Sink> sinks) {
        this.peers = peers;
        this.name = name;
        this.sinks = List.copyOf(sinks);
    }

    @Override
    public Election guarding(Sink... more) {
        PeerKind kind = peers.uri().kind();
        if (!kind.isSafe()) {
            throw new IllegalStateException("a leader by " + kind + " has no token that the sink "
                    + (more.length == 0 ? "" : more[0].label() + " ")
                    + "could compare: elect by peers+raft, or over a coordinator");
        }
        List<Sink> all = new ArrayList<>(sinks);
        all.addAll(List.of(more));
        return new PeerElection(peers, name, all);
    }

    /** A group keeps no record, so nobody knows whom to turn off. */
    @Override
    public Election withStonith(Stonith how) {
        throw new IllegalStateException(
                peers.uri().label()
                        + " keeps no record of who may still act, so nobody is turned off: elect over a coordinator, such as quorum://");
    }

    @Override
    public Candidacy campaign(LeaderTask task) {
        return campaign(Optional.of(task), Optional.empty());
    }

    @Override
    public Candidacy campaign(LeaderTask task, TermListener listener) {
        return campaign(Optional.of(task), Optional.of(listener));
    }

    @Override
    public Candidacy campaign() {
        return campaign(Optional.empty(), Optional.empty());
    }

    @Override
    public Candidacy campaign(TermListener listener) {
        return campaign(Optional.empty(), Optional.of(listener));
    }

    private Candidacy campaign(Optional<LeaderTask> task, Optional<TermListener> listener) {
        PeerKind kind = peers.uri().kind();
        if (!kind.isSafe() && !peers.uri().acceptsTwoLeaders()) {
            throw new CoordinatorUnusableException(
                    peers.uri().label() + " can have two leaders: in a partition each part of a " + kind
                            + " has one; elect by peers+raft, or say two-leaders=true if the work bears it");
        }
        Platform platform = peers.settings().platform();
        try {
            PeerDriver driver = driver(setup(task, listener), platform);
            PeerCandidacy candidacy = new PeerCandidacy(
                    driver, platform, peers.settings().durations(kind).get(2));
            peers.standsBy(candidacy);
            return candidacy;
        } catch (RuntimeException | Error unopened) {
            platform.close();
            throw unopened;
        }
    }

    private PeerSetup setup(Optional<LeaderTask> task, Optional<TermListener> listener) {
        MemberId me = peers.me();
        PeerKind kind = peers.uri().kind();
        List<Duration> durations = peers.settings().durations(kind);
        Candidate candidate = peers.candidate();
        return new PeerSetup(
                kind,
                name,
                me,
                candidate,
                durations.get(0),
                durations.get(1),
                durations.get(2),
                sinks,
                task,
                listener,
                peers.settings().heard());
    }

    private PeerDriver driver(PeerSetup setup, Platform platform) {
        PeerGroup group = peers.uri().groupOf(setup.me());
        Optional<PeerDisk> disk = peers.uri().data().map(folder -> PeerDisk.open(folder, name, group));
        Optional<PeerTransport> opened = Optional.empty();
        try {
            Optional<RaftDisk> there = disk.flatMap(PeerDisk::read);
            PeerTransport transport = new SocketTransport(
                    peers.uri(),
                    new PeerGreeting(setup.kind(), name, group.ring(), setup.me(), setup.me(), setup.candidate()));
            opened = Optional.of(transport);
            PeerDriver driver = new PeerDriver(setup, platform, transport, disk, machine(group));
            driver.start(there);
            return driver;
        } catch (RuntimeException | Error unopened) {
            opened.ifPresent(PeerTransport::close);
            disk.ifPresent(PeerDisk::close);
            throw unopened;
        }
    }

    private Function<MemberActions, MemberMachine> machine(PeerGroup group) {
        PeerElections.Builder settings = peers.settings();
        return switch (peers.uri().kind()) {
            case RAFT -> actions -> new RaftMember(group, settings.raftTiming(), RANDOM::nextLong, actions);
            case BULLY -> actions -> TokenlessMember.bully(group, settings.peerTiming(), actions);
            case RING -> actions -> TokenlessMember.ring(group, settings.peerTiming(), actions);
        };
    }

    /** Only a member hears who leads: whoever does not campaign has no connection. */
    @Override
    public Observation observe(LeaderListener listener) {
        PeerDriver driver = peers.standing()
                .map(PeerCandidacy::driver)
                .orElseThrow(() -> new IllegalStateException(
                        "this process does not campaign in " + name + ": only a member of a group hears who leads"));
        PeerObservation observation = new PeerObservation(listener);
        driver.observe(observation);
        return new Observation() {
            @Override
            public Optional<LeaderChange> last() {
                return observation.last();
            }

            @Override
            public void close() {
                observation.close();
                driver.leave(observation);
            }
        };
    }
}
