package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.ElectionListener;
import dev.incumbent.Trace;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Extras;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.SinkId;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Processes that hear each other beside the coordinator: a leader that is gone has a successor long before its lease ends, where its sinks are fenced. */
class HearingTest {
    private static final ElectionName BILLING = new ElectionName("billing");
    /** Long before a lease, or the end of one, could have told anything. */
    private static final Duration A_BLINK = Duration.ofMillis(400);

    private final OneThread platform = new OneThread();
    private final BeatNetwork network = new BeatNetwork(platform.time);
    private final MemoryStore store = new MemoryStore(platform.time);
    private final dev.incumbent.fence.memory.MemoryStore ledger =
            new dev.incumbent.fence.memory.MemoryStore(new SinkId("ledger"));
    private final List<String> heard = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    HearingTest() {
        platform.beats = Optional.of(network::open);
    }

    @Test
    void aLeaderWhoseProcessEndsIsSucceededInABlink() {
        OneProcess ada = process("ada");
        OneProcess bob = process("bob");
        Candidacy first = stands(ada);
        stands(bob);
        platform.pass(Duration.ofSeconds(1));
        assertThat(leader()).isEqualTo("ada");

        cutOff(ada);
        network.of("ada").kill();
        platform.pass(A_BLINK);

        assertThat(leader()).isEqualTo("bob");
        assertThat(record().history().get(0).reason()).isEqualTo(EndReason.SUPERSEDED);
        assertThat(first.leadership()).as("it has not heard of it").isPresent();
    }

    @Test
    void aLeaderThatStandsStillIsSucceededOnceMostOfItsListenersMissIt() {
        OneProcess ada = process("ada");
        stands(ada);
        platform.pass(Duration.ofMillis(100));
        stands(process("bob"));
        stands(process("cay"));
        platform.pass(Duration.ofSeconds(1));

        cutOff(ada);
        network.of("ada").freeze();
        platform.pass(A_BLINK);

        assertThat(leader()).isEqualTo("bob");
    }

    /** Connections are a process's, not an election's: what is not fenced is not told on them. */
    @Test
    void besideAnElectionWithASinkOneWithoutIsNotTold() {
        OneProcess ada = process("ada");
        OneProcess bob = process("bob");
        stands(ada);
        ada.election("plain").campaign(leadership -> {});
        platform.pass(Duration.ofMillis(100));
        stands(bob);
        bob.election("plain").campaign(leadership -> {});
        platform.pass(Duration.ofSeconds(1));

        cutOff(ada);
        network.of("ada").kill();
        platform.pass(A_BLINK);

        assertThat(heard)
                .contains("bob hears billing 1", "bob suspects billing 1")
                .noneMatch(line -> line.contains("plain"));
    }

    @Test
    void withoutASinkTheLeaseDecides() {
        OneProcess ada = process("ada");
        OneProcess bob = process("bob");
        ada.election("billing").campaign(leadership -> {});
        platform.pass(Duration.ofMillis(100));
        bob.election("billing").campaign(leadership -> {});
        platform.pass(Duration.ofSeconds(1));

        cutOff(ada);
        network.of("ada").kill();
        platform.pass(A_BLINK);

        assertThat(leader()).isEqualTo("ada");
        assertThat(heard).isEmpty();
        platform.pass(OneProcess.TIMING.lease().plusSeconds(1));
        assertThat(leader()).isEqualTo("bob");
    }

    /** A winner that dies while it raises must be missed, too. */
    @Test
    void aClaimIsHeardBeforeItsTermBegins() {
        OneProcess ada = process("ada");
        OneProcess bob = process("bob");
        stands(ada);
        platform.pass(Duration.ofMillis(100));
        stands(bob);
        platform.pass(Duration.ofMillis(100));
        bob.answers.put("swap", OneProcess.UNANSWERED);

        platform.task().returns();
        platform.pass(Duration.ofMillis(300));

        assertThat(leader()).as("the claim was never answered").isEmpty();
        assertThat(heard).contains("ada hears billing 2");
    }

    @Test
    void whoLeavesIsNotSuspected() {
        OneProcess ada = process("ada");
        OneProcess bob = process("bob");
        stands(ada);
        platform.pass(Duration.ofMillis(100));
        stands(bob);
        platform.pass(Duration.ofSeconds(1));

        ada.runtime.closeAsync();
        platform.pass(Duration.ofMillis(5));
        platform.task().returns();
        platform.pass(Duration.ofSeconds(2));

        assertThat(leader()).isEqualTo("bob");
        assertThat(heard).noneMatch(line -> line.contains("suspects"));
    }

    /** It was connected with the leader before it stood: what was heard then counts. */
    @Test
    void whoBeginsToStandLaterHasHeardTheLeaderToo() {
        OneProcess ada = process("ada");
        OneProcess bob = process("bob");
        stands(ada);
        stands(ada, "orders");
        platform.pass(Duration.ofMillis(100));
        stands(bob, "orders");
        platform.pass(Duration.ofSeconds(1));
        stands(bob);
        platform.pass(Duration.ofSeconds(1));

        cutOff(ada);
        network.of("ada").kill();
        platform.pass(A_BLINK);

        assertThat(leader()).isEqualTo("bob");
    }

    /** Its record names no sink: it is not preempted, so nobody needs to hear it. */
    @Test
    void aLeaderWithoutSinksIsNotDialled() {
        OneProcess ada = process("ada");
        OneProcess bob = process("bob");
        ada.election("billing").campaign(leadership -> {});
        platform.pass(Duration.ofMillis(100));
        stands(bob);

        platform.pass(Duration.ofSeconds(1));

        assertThat(leader()).isEqualTo("ada");
        assertThat(network.everConnected()).isZero();
    }

    @Test
    void theAddressIsToldBesideWhatTheCandidateTellsElse() {
        Candidate me = new Candidate(
                new CandidateId("ada"), "ada", "h1", new Extras(Map.of("zone", "z1"), Map.of("later", "x")));

        Candidate heard = Hearing.heardAt(network.open(me.id()), me);

        assertThat(heard.extras().attributes()).containsExactly(Map.entry("beats", "ada:1"), Map.entry("zone", "z1"));
        assertThat(heard.extras().unknown()).isEqualTo(me.extras().unknown());
        assertThat(heard.address()).isEqualTo("h1");
    }

    /** It has no address at which it is heard: then its lease decides, as ever. */
    @Test
    void aLeaderWithoutBeatsIsSucceededOnceItsLeaseHasEnded() {
        platform.beats = Optional.empty();
        OneProcess ada = process("ada");
        platform.beats = Optional.of(network::open);
        OneProcess bob = process("bob");
        stands(ada);
        platform.pass(Duration.ofMillis(100));
        stands(bob);
        platform.pass(Duration.ofSeconds(1));

        cutOff(ada);
        platform.pass(A_BLINK);

        assertThat(leader()).isEqualTo("ada");
        platform.pass(OneProcess.TIMING.lease().plusSeconds(1));
        assertThat(leader()).isEqualTo("bob");
        assertThat(told).as("nobody was heard").isEmpty();
        assertThat(failures).isEmpty();
    }

    /** A leader that stands still and goes on: told to a person once, and that it was a mistake. */
    @Test
    void aSuspicionIsToldAndThatItWasAMistake() {
        OneProcess ada = process("ada");
        stands(ada);
        platform.pass(Duration.ofMillis(100));
        stands(process("bob"));
        stands(process("cay"));
        platform.pass(Duration.ofSeconds(1));

        network.of("ada").freeze();
        platform.pass(A_BLINK);
        network.of("ada").goesOn();
        platform.pass(A_BLINK);

        assertThat(told.stream().filter(line -> line.startsWith("bob")))
                .containsExactly(
                        "bob hears ada",
                        "bob misses ada: most of those that listen to it miss it",
                        "bob hears ada",
                        "bob was mistaken in ada, patience 2");
    }

    @Test
    void aRefusedConnectionIsToldAsSuch() {
        OneProcess ada = process("ada");
        stands(ada);
        platform.pass(Duration.ofMillis(100));
        stands(process("bob"));
        platform.pass(Duration.ofSeconds(1));

        network.of("ada").kill();
        platform.pass(A_BLINK);

        assertThat(told).containsExactly("bob hears ada", "bob misses ada: its host refuses the connection");
    }

    private OneProcess process(String name) {
        return new OneProcess(platform, store, name, new Ears(trace(name), new ElectionListener() {
            @Override
            public void onHeard(CandidateId leader) {
                told.add(name + " hears " + leader);
            }

            @Override
            public void onSuspected(CandidateId leader, String why) {
                told.add(name + " misses " + leader + ": " + why);
            }

            @Override
            public void onMistaken(CandidateId leader, int patience) {
                told.add(name + " was mistaken in " + leader + ", patience " + patience);
            }
        }));
    }

    private Trace trace(String name) {
        return new Trace() {
            @Override
            public void failed(String what, Throwable failure) {
                failures.add(name + ": " + what + " " + failure);
            }

            @Override
            public void stepped(ElectionName election, Event event, Step<ElectionState, Effect> step, Moment moment) {
                if (event instanceof Event.LeaderHeard one) {
                    heard.add(name + " hears " + election + " " + one.term());
                } else if (event instanceof Event.LeaderSuspected one) {
                    heard.add(name + " suspects " + election + " " + one.term());
                }
            }
        };
    }

    private Candidacy stands(OneProcess process) {
        return stands(process, "billing");
    }

    private Candidacy stands(OneProcess process, String election) {
        MemorySink sink = new MemorySink(ledger, platform.time, OneProcess.CALL);
        return process.election(election).guarding(sink).campaign(leadership -> {});
    }

    /** Nothing that it asks is answered from now on. */
    private static void cutOff(OneProcess process) {
        for (String call :
                List.of("grant", "keepAlive", "revoke", "read", "swap", "candidates", "enlist", "withdraw")) {
            process.answers.put(call, CompletableFuture<Void>::new);
        }
    }

    private String leader() {
        return record().leader().map(Candidate::name).orElse("");
    }

    private LeaderRecord record() {
        var seer = MemoryCoordinator.connect(store, platform.time, OneProcess.CALL);
        Reading reading = seer.read(Set.of(BILLING))
                .toCompletableFuture()
                .getNow(Map.of())
                .get(BILLING);
        return reading instanceof Reading.Found found ? found.record().record() : LeaderRecord.EMPTY;
    }
}
