package dev.incumbent.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.peers.ring.RingForm;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a bully and a ring do not promise: where messages do not arrive, several members lead at once. */
class TwoLeadersTest {
    private static final List<MemberId> RING = List.of(new MemberId("a"), new MemberId("b"), new MemberId("c"));
    private static final Set<MemberId> LEADER = Set.of(new MemberId("c"));
    private static final long SECOND = 1_000 * PeerRounds.MILLI;

    static List<PeerMachine.Kind<?, ?>> kinds() {
        return List.of(PeerMachine.bully(), PeerMachine.ring(RingForm.GREATEST), PeerMachine.ring(RingForm.LIST));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aPartitionHasTwoLeadersAndThisIsTheShortestStory(PeerMachine.Kind<?, ?> kind) {
        StorySearch.Found found = new StorySearch<>(kind, RING, LEADER).twoLeaders(200_000);

        System.out.println(kind + ": two leaders, the shortest story of " + found.scenes() + " scenes\n  "
                + String.join("\n  ", found.story()));
        assertThat(found.story()).isNotEmpty();
        assertThat(found.story()).anyMatch(line -> line.contains("hear each other no more"));
        assertThat(found.story().get(found.story().size() - 1)).contains("BeginLeading");
    }

    /** As long as messages arrive before time goes on, and nobody comes back. */
    @ParameterizedTest
    @MethodSource("kinds")
    void withoutAPartitionOneLeadsAsFarAsItIsSearched(PeerMachine.Kind<?, ?> kind) {
        StorySearch.Found found = new StorySearch<>(kind, RING, Set.of()).twoLeaders(2_000);

        assertThat(found.story()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void theyLeadForAsLongAsThePartitionLastsAndOneOfThemAfterwards(PeerMachine.Kind<?, ?> kind) {
        PeerRounds<?, ?> rounds = PeerRounds.settled(kind, RING);
        assertThat(rounds.leaders()).containsExactly(new MemberId("c"));

        rounds.cut(LEADER);
        rounds.run(2 * SECOND);
        assertThat(rounds.leaders()).containsExactly(new MemberId("b"), new MemberId("c"));

        rounds.run(60 * SECOND);
        assertThat(rounds.leaders()).containsExactly(new MemberId("b"), new MemberId("c"));

        rounds.heal();
        rounds.run(2 * SECOND);
        assertThat(rounds.leaders()).containsExactly(new MemberId("c"));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void theGreatestThatComesBackLeads(PeerMachine.Kind<?, ?> kind) {
        PeerRounds<?, ?> rounds = PeerRounds.settled(kind, RING);

        rounds.crash(new MemberId("c"));
        rounds.run(3 * SECOND);
        assertThat(rounds.leaders()).containsExactly(new MemberId("b"));

        rounds.start(new MemberId("c"));
        rounds.run(3 * SECOND);
        assertThat(rounds.leaders()).containsExactly(new MemberId("c"));
    }
}
