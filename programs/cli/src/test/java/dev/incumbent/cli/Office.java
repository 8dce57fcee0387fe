package dev.incumbent.cli;

import dev.incumbent.cli.frame.Answers;
import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.cli.frame.CommandRun.World;
import dev.incumbent.cli.frame.VerbTable;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.SinkId;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** A coordinator and a sink in memory, with candidates that do as they are told, and the command line over them. */
final class Office {
    static final Duration LEASE = Duration.ofSeconds(6);
    static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
    static final String SINK = "memory:ledger";

    final Timeline timeline;
    final MemoryStore store;
    final Coordinator coordinator;
    final dev.incumbent.fence.memory.MemoryStore ledger =
            new dev.incumbent.fence.memory.MemoryStore(new SinkId("ledger-1"));
    private final Map<String, LeaseId> leases = new HashMap<>();
    private int swaps;

    Office(Timeline timeline) {
        this.timeline = timeline;
        this.store = new MemoryStore(timeline);
        this.coordinator = open();
    }

    /** Runs a command line over this office. */
    CommandRun run(String... args) {
        World world = World.of(timeline, "memory", this::open)
                .and(SINK, () -> new MemorySink(ledger, timeline, Duration.ofSeconds(1)));
        return CommandRun.of(new Incumbent(), new Verbs(), Map.of("INCUMBENT_AT", "memory:office"), world, args);
    }

    /** The same, over a coordinator that differs in something; with those variables. */
    CommandRun runOver(UnaryOperator<Coordinator> differing, Map<String, String> variables, String... args) {
        return runOver(new Verbs(), differing, variables, args);
    }

    /** The same, by those verbs. */
    CommandRun runOver(
            VerbTable verbs, UnaryOperator<Coordinator> differing, Map<String, String> variables, String... args) {
        World world = World.of(timeline, "memory", () -> differing.apply(open()))
                .and(SINK, () -> new MemorySink(ledger, timeline, Duration.ofSeconds(1)));
        Map<String, String> all = new HashMap<>(variables);
        all.put("INCUMBENT_AT", "memory:office");
        return CommandRun.of(new Incumbent(), verbs, all, world, args);
    }

    static Candidate candidate(String name) {
        return new Candidate(CandidateId.of(name, "host", 7, "9f3c"), name, "");
    }

    void stand(String election, String name) {
        stand(election, candidate(name));
    }

    void stand(String election, Candidate candidate) {
        LeaseId lease = leases.computeIfAbsent(
                candidate.id().value(),
                id -> Answers.await(coordinator.grant(candidate.id(), LEASE)).id());
        Answers.await(coordinator.enlist(new ElectionName(election), new Enlisted(candidate, lease, NOON, Set.of())));
    }

    void withdraw(String election, String name) {
        Answers.await(
                coordinator.withdraw(new ElectionName(election), candidate(name).id()));
    }

    /** The candidate, which stands, claims the next term. */
    void lead(String election, String name) {
        Candidate leader = candidate(name);
        LeaseId lease = Optional.ofNullable(leases.get(leader.id().value())).orElseThrow();
        change(
                election,
                record -> new LeaderRecord(
                        record.term() + 1,
                        Optional.of(leader),
                        Optional.of(lease),
                        LEASE,
                        NOON,
                        Optional.empty(),
                        record.planned(),
                        record.moved(),
                        record.freeze(),
                        record.cordons(),
                        record.sinks(),
                        record.retiredSinks(),
                        record.requires(),
                        record.holders(),
                        "",
                        record.history(),
                        Map.of()));
    }

    /** Its leader vacates, for that reason. */
    void vacate(String election, EndReason why) {
        change(
                election,
                record -> record.remembering(new PastTerm(
                                record.term(),
                                record.leader().orElseThrow(),
                                record.since(),
                                NOON.plusSeconds(60),
                                why,
                                LEASE))
                        .vacated(0, NOON.plusSeconds(60)));
    }

    void change(String election, UnaryOperator<LeaderRecord> change) {
        ElectionName name = new ElectionName(election);
        ObservedRecord now = observed(name);
        LeaderRecord next = change.apply(now.record()).written("nonce-" + ++swaps);
        Swap swap = Answers.await(coordinator.swap(name, now.revision(), next));
        if (!(swap instanceof Swap.Accepted)) {
            throw new AssertionError("refused: " + swap);
        }
    }

    private ObservedRecord observed(ElectionName name) {
        return Answers.await(coordinator.read(Set.of(name))).get(name) instanceof Reading.Found found
                ? found.record()
                : ObservedRecord.ABSENT;
    }

    Coordinator open() {
        return MemoryCoordinator.connect(store, timeline, Duration.ofSeconds(1));
    }
}
