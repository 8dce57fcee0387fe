package dev.incumbent.coordinator.peers;

import dev.incumbent.Election;
import dev.incumbent.ElectionListener;
import dev.incumbent.Elections;
import dev.incumbent.LastResort;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.internal.Listeners;
import dev.incumbent.internal.Log;
import dev.incumbent.internal.Platform;
import dev.incumbent.internal.TaskRules;
import dev.incumbent.internal.Threads;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.PeerTiming;
import dev.incumbent.peers.raft.RaftDisk;
import dev.incumbent.peers.raft.RaftTiming;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * An election among the candidates themselves, without a coordinator. Each candidate is a member of a fixed group; the members elect one of them.
 *
 * <pre>{@code
 * try (var peers = PeerElections.connect(group).open();
 *         var candidacy = peers.election("billing/closer").guarding(sink).campaign(leadership -> {
 *             while (more()) ledger.append(next(), leadership.token());
 *         })) {
 *     awaitShutdown();
 * }
 * }</pre>
 *
 * <p>Here {@code group} is a URI, such as {@code peers+raft://a:7501,b:7501,c:7501?me=a&data=/var/lib/closer}.
 *
 * <p>One group has one leader, and so one election, after which it is named. A process that stands in several elections is a member of several groups, each with its own ports and folder.
 * A member that campaigns takes part: it votes, too, so a group needs a majority of members that do.
 *
 * <p>By {@code peers+raft} the number of a term is a fencing token. By {@code peers+bully} and {@code peers+ring} there is none, and in a partition several members lead: {@code
 * two-leaders=true} in the URI says that this is known, and sinks are refused. Thread-safe.
 */
public final class PeerElections implements AutoCloseable {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int UNUSED_BITS = 16;

    private final PeersUri uri;
    private final Builder settings;
    private final MemberId me;
    private final Candidate candidate;
    private volatile Optional<PeerCandidacy> standing = Optional.empty();

    private PeerElections(PeersUri uri, MemberId me, Builder settings) {
        this.uri = uri;
        this.me = me;
        this.settings = settings;
        CandidateId id = CandidateId.of(
                me.value(),
                uri.addressOf(me).host(),
                ProcessHandle.current().pid(),
                "%012x".formatted(RANDOM.nextLong() >>> UNUSED_BITS));
        this.candidate = new Candidate(id, me.value(), settings.address());
    }

    /** Elections of the group at a URI. {@link Builder#open()} throws a {@link CoordinatorUnusableException} where the URI is not understood. */
    public static Builder connect(String uri) {
        return new Builder(uri);
    }

    /**
     * Founds a group, once, on each of its members: it writes to the empty folder of a member that nobody has ever voted. Throws a {@link CoordinatorUnusableException} if the folder
     * is in use or not empty.
     *
     * <p>Never found a group again on one member alone: that member may vote twice in a term. A member whose folder was lost starts with an empty one, and asks the others.
     */
    public static void found(String uri, String election) {
        PeersUri parsed = PeersUri.of(uri);
        MemberId me = member(parsed);
        if (!parsed.kind().isSafe()) {
            throw new CoordinatorUnusableException(
                    parsed.label() + " needs no founding: a member of a " + parsed.kind() + " keeps nothing");
        }
        ElectionName name = new ElectionName(election);
        try (PeerDisk disk = PeerDisk.open(parsed.data().orElseThrow(), name, parsed.groupOf(me))) {
            Optional<RaftDisk> there = disk.read();
            if (there.isPresent()) {
                throw new CoordinatorUnusableException(disk.file() + " says that " + me + " is a member of " + election
                        + " in term " + there.get().term() + ": a group is founded once, and this one was");
            }
            disk.write(new RaftDisk(name.value(), 0, Optional.empty()));
        } catch (IOException e) {
            throw new CoordinatorUnusableException("the group " + election + " cannot be founded: " + e, e);
        }
    }

    private static MemberId member(PeersUri uri) {
        return uri.me()
                .orElseThrow(() -> new CoordinatorUnusableException(
                        uri.label() + " does not say which member this process is; add me=HOST"));
    }

    /** The election of the group; all members use the same name. */
    public Election election(String name) {
        return new PeerElection(this, new ElectionName(name), List.of());
    }

    /** This process as a candidate. Its name is its member's; its id names this one start. */
    public Candidate candidate() {
        return candidate;
    }

    /** Closes the candidacy that was begun last, if there is one, and waits as {@link dev.incumbent.Candidacy#close()} does. */
    @Override
    public void close() {
        standing.ifPresent(PeerCandidacy::close);
    }

    PeersUri uri() {
        return uri;
    }

    MemberId me() {
        return me;
    }

    /** The member that was begun last. */
    Optional<PeerCandidacy> standing() {
        return standing;
    }

    void standsBy(PeerCandidacy begun) {
        standing = Optional.of(begun);
    }

    Builder settings() {
        return settings;
    }

    /** The settings. All of them have defaults. */
    public static final class Builder {
        private final String uri;
        private String address = "";
        private RaftTiming raftTiming = RaftTiming.DEFAULT;
        private PeerTiming peerTiming = PeerTiming.DEFAULT;
        private final List<ElectionListener> listeners = new ArrayList<>();
        private boolean isQuiet;
        private TaskRules tasks = TaskRules.DEFAULT;

        private Builder(String uri) {
            this.uri = uri;
        }

        /** The address at which clients find this member while it leads. */
        public Builder address(String clientAddress) {
            address = clientAddress;
            return this;
        }

        /** The durations of {@code peers+raft}. The longest lease is the same for all members. The default is {@link RaftTiming#DEFAULT}. */
        public Builder timing(RaftTiming chosen) {
            raftTiming = chosen;
            return this;
        }

        /** The durations of {@code peers+bully} and {@code peers+ring}. The default is {@link PeerTiming#DEFAULT}. */
        public Builder timing(PeerTiming chosen) {
            peerTiming = chosen;
            return this;
        }

        /** Adds a listener, which is told each change that a person would ask about. */
        public Builder listener(ElectionListener hears) {
            listeners.add(hears);
            return this;
        }

        /** Turns off the log, which otherwise goes to the {@link System.Logger} {@value Elections#LOGGER}. */
        public Builder quiet() {
            isQuiet = true;
            return this;
        }

        /** Runs tasks on this executor. By default each task has a thread of its own. */
        public Builder executor(Executor executor) {
            tasks = tasks.on(executor);
            return this;
        }

        /** Takes this last resort where a task has not returned within the stop budget after it was told to stop. */
        public Builder lastResort(LastResort resort) {
            tasks = tasks.with(resort);
            return this;
        }

        /** Reads the URI. Nothing listens and nothing connects until the process campaigns. */
        public PeerElections open() {
            PeersUri parsed = PeersUri.of(uri);
            return new PeerElections(parsed, member(parsed), this);
        }

        String address() {
            return address;
        }

        RaftTiming raftTiming() {
            return raftTiming;
        }

        PeerTiming peerTiming() {
            return peerTiming;
        }

        /** The durations that a driver needs of a protocol: lease, heartbeat, stop budget. */
        List<Duration> durations(PeerKind kind) {
            return kind.isSafe()
                    ? List.of(raftTiming.lease(), raftTiming.heartbeat(), raftTiming.stopBudget())
                    : List.of(peerTiming.silence(), peerTiming.heartbeat(), Duration.ofSeconds(1));
        }

        ElectionListener heard() {
            List<ElectionListener> all = new ArrayList<>(listeners);
            if (!isQuiet) {
                all.add(0, new Log(System.getLogger(Elections.LOGGER)));
            }
            return all.isEmpty() ? ElectionListener.NONE : new Listeners(List.copyOf(all));
        }

        /** Threads and clocks of one candidacy. */
        Platform platform() {
            SystemTimeline own = new SystemTimeline();
            SystemTimeline stops = new SystemTimeline("incumbent-stops");
            return new Threads(own, stops, tasks, Optional.empty(), () -> {
                own.close();
                stops.close();
            });
        }
    }
}
