package dev.incumbent.agent;

import dev.incumbent.agent.elections.HostSetup;
import dev.incumbent.agent.elections.HostStonith;
import dev.incumbent.agent.elections.HostWatchdog;
import dev.incumbent.agent.elections.PrefixMap;
import dev.incumbent.agent.http.Listen;
import dev.incumbent.agent.http.Rights;
import dev.incumbent.coordinator.memory.FaultyWire;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.CandidateRank;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.TestInfo;

/** An agent over a coordinator in memory, on a free port and on a Unix socket, in real time. */
final class AgentAtWork implements AutoCloseable {
    /** So long that a busy machine seldom ends one, for tests that wait for it. */
    static final Duration LEASE = Duration.ofSeconds(8);

    /** So long that only a hang ends one. */
    static final Duration LONG_LEASE = Duration.ofMinutes(1);

    /** Of an owner whose test does not wait until it is missed, in milliseconds: longer than any test waits for anything. */
    static final int LONG_TTL = 50_000;

    static final String READS = "token-that-reads-all";
    static final String STANDS = "token-that-stands-in-billing";
    static final String OPERATES = "token-that-operates-all";

    final Path tokens;
    final FaultyWire wire = new FaultyWire();
    final HostAgent agent;
    private final SystemTimeline timeline;
    private final List<LocalOwner> owners = new ArrayList<>();
    final List<String> said = new CopyOnWriteArrayList<>();
    final MemoryCoordinator coordinator;
    final CountedWatches watches;

    /** What the host has where work does not stop, or a former leader may still act. */
    private record HostProtection(Optional<HostWatchdog> watchdog, Optional<HostStonith> stonith) {
        static final HostProtection NONE = new HostProtection(Optional.empty(), Optional.empty());
    }

    AgentAtWork(Path folder) throws IOException {
        this(folder, LEASE, new SystemTimeline(), Optional.empty(), HostProtection.NONE);
    }

    /** One whose owners may live for longer. */
    AgentAtWork(Path folder, Duration lease) throws IOException {
        this(folder, lease, new SystemTimeline(), Optional.empty(), HostProtection.NONE);
    }

    /** One whose owners may live for longer, on a host with a watchdog. */
    AgentAtWork(Path folder, HostWatchdog watchdog) throws IOException {
        this(
                folder,
                LONG_LEASE,
                new SystemTimeline(),
                Optional.empty(),
                new HostProtection(Optional.of(watchdog), Optional.empty()));
    }

    /** One of several agents over the same store. */
    AgentAtWork(Path folder, Duration lease, SystemTimeline timeline, MemoryStore shared) throws IOException {
        this(folder, lease, timeline, Optional.of(shared), HostProtection.NONE);
    }

    /** One of several agents over the same store, on a host that has former leaders turned off. */
    AgentAtWork(Path folder, Duration lease, SystemTimeline timeline, MemoryStore shared, HostStonith stonith)
            throws IOException {
        this(folder, lease, timeline, Optional.of(shared), new HostProtection(Optional.empty(), Optional.of(stonith)));
    }

    /** A test that waits for leases is tagged so, and has a short one. */
    static Duration lease(TestInfo test) {
        return test.getTags().contains("realtime") ? LEASE : LONG_LEASE;
    }

    /** One whose rights have more lines. */
    static AgentAtWork withRights(Path folder, String lines) throws IOException {
        Files.writeString(folder.resolve("more"), lines);
        return new AgentAtWork(folder);
    }

    private AgentAtWork(
            Path folder,
            Duration lease,
            SystemTimeline timeline,
            Optional<MemoryStore> shared,
            HostProtection protection)
            throws IOException {
        Path more = folder.resolve("more");
        this.timeline = timeline;
        this.tokens = folder.resolve("tokens");
        Files.writeString(
                tokens,
                READS + " * read\n" + STANDS + " billing/ campaign\n" + OPERATES + " * operate\n"
                        + (Files.exists(more) ? Files.readString(more) : ""));
        Timing timing = Timing.ofLease(lease);
        MemoryStore store = shared.orElseGet(() -> new MemoryStore(timeline));
        coordinator = MemoryCoordinator.connect(store, wire, timeline, timing.requestTimeout());
        watches = new CountedWatches(coordinator);
        agent = HostAgent.start(
                new HostSetup(
                        new PrefixMap<>(watches, Map.of()),
                        timing,
                        Optional.of("host-1"),
                        "",
                        CandidateRank.PLAIN,
                        Optional.empty(),
                        List.of(),
                        false,
                        protection.watchdog,
                        protection.stonith),
                new HostAgent.Access(
                        List.of(new Listen.Tcp("127.0.0.1", 0), new Listen.Unix(folder.resolve("agent.sock"))),
                        Optional.of(Rights.of(tokens, said::add)),
                        HostAgent.ownUser()));
    }

    PlainHttp port() {
        return PlainHttp.to(agent.listens().get(0));
    }

    PlainHttp socket() {
        return PlainHttp.to(agent.listens().get(1));
    }

    /** An owner that stands over the Unix socket. */
    LocalOwner owner(String election, int ttlMillis) {
        return knows(LocalOwner.stand(socket(), election, ttlMillis));
    }

    /** An owner that leaves before the agent ends. */
    LocalOwner knows(LocalOwner owner) {
        owners.add(owner);
        return owner;
    }

    /** Owners leave first: the agent's end waits for none of them. */
    @Override
    public void close() {
        owners.forEach(LocalOwner::leaveIfThere);
        agent.close();
        coordinator.close();
        timeline.close();
    }
}
