package dev.incumbent.agent;

import dev.incumbent.agent.elections.HostSetup;
import dev.incumbent.agent.elections.Prefix;
import dev.incumbent.agent.elections.PrefixMap;
import dev.incumbent.agent.http.Listen;
import dev.incumbent.agent.http.Rights;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.coordinator.memory.FaultyWire;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.CandidateRank;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** An agent over a SQLite file, which has all elections but those beneath {@code batch/}. These are in memory, save those beneath {@code batch/near/}. */
final class AgentOverTwo implements AutoCloseable {
    static final String READS = "token-that-reads-all";
    static final String WEB = "token-that-stands-in-web";

    final SystemTimeline clocks = new SystemTimeline();
    /** To the coordinator of {@code batch/}. */
    final FaultyWire wire = new FaultyWire();

    final Coordinator file;
    /** The coordinator of {@code batch/}, by a connection of its own. */
    final Coordinator memory;

    private final Coordinator cut;
    private final HostAgent agent;
    private final List<LocalOwner> owners = new ArrayList<>();

    AgentOverTwo(Path folder) throws IOException {
        Timing timing = Timing.ofLease(AgentAtWork.LEASE);
        MemoryStore store = new MemoryStore(clocks);
        memory = MemoryCoordinator.connect(store, clocks, timing.requestTimeout());
        cut = MemoryCoordinator.connect(store, wire, clocks, timing.requestTimeout());
        String uri = "file:" + folder.resolve("coordinator.db");
        file = CoordinatorProvider.of(uri).open(uri, clocks, timing.requestTimeout(), CoordinatorProvider.Mode.CREATE);
        Path tokens = Files.writeString(folder.resolve("tokens"), READS + " * read\n" + WEB + " web/ campaign\n");
        PrefixMap<Coordinator> coordinators =
                new PrefixMap<>(file, Map.of(new Prefix("batch/"), cut, new Prefix("batch/near/"), file));
        agent = HostAgent.start(
                new HostSetup(
                        coordinators,
                        timing,
                        Optional.of("host-1"),
                        "",
                        CandidateRank.PLAIN,
                        Optional.empty(),
                        List.of(),
                        false,
                        Optional.empty(),
                        Optional.empty()),
                new HostAgent.Access(
                        List.of(new Listen.Tcp("127.0.0.1", 0), new Listen.Unix(folder.resolve("agent.sock"))),
                        Optional.of(Rights.of(tokens, said -> {})),
                        HostAgent.ownUser()));
    }

    PlainHttp port() {
        return PlainHttp.to(agent.listens().get(0));
    }

    PlainHttp socket() {
        return PlainHttp.to(agent.listens().get(1));
    }

    LocalOwner owner(String election) {
        LocalOwner owner = LocalOwner.stand(socket(), election, 6000);
        owners.add(owner);
        return owner;
    }

    /** What lies at a coordinator. */
    static List<String> names(Coordinator coordinator) throws Exception {
        return coordinator.elections("").toCompletableFuture().get(20, TimeUnit.SECONDS).stream()
                .map(ElectionName::value)
                .sorted()
                .toList();
    }

    @Override
    public void close() {
        wire.heal();
        owners.forEach(LocalOwner::leaveIfThere);
        agent.close();
        cut.close();
        memory.close();
        file.close();
        clocks.close();
    }
}
