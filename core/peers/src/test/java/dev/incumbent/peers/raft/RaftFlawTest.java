package dev.incumbent.peers.raft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.peers.raft.RaftWorld.Ending;
import dev.incumbent.peers.raft.RaftWorld.Plan;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A machine that lacks one rule is convicted, by the invariant that this rule serves, in one of few worlds; the shipped machine holds in the same world. */
class RaftFlawTest {
    private static final int BUDGET = 4_000;

    @ParameterizedTest
    @EnumSource(RaftFlaw.class)
    void aMachineThatLacksARuleIsConvicted(RaftFlaw flaw) {
        Plan plan = flaw == RaftFlaw.NO_PRE_VOTE ? Plan.RETURNING : Plan.FAULTS;

        OptionalLong seed = LongStream.range(0, BUDGET)
                .filter(one ->
                        RaftWorld.run(one, plan, Optional.of(flaw)).broken().equals(Optional.of(flaw.foundBy())))
                .findFirst();

        assertThat(seed).as("%s within %s worlds", flaw, BUDGET).isPresent();
        Ending flawed = RaftWorld.run(seed.getAsLong(), plan, Optional.of(flaw));
        System.out.println(flaw + ": world " + seed.getAsLong() + ", " + flaw.foundBy() + ", " + flawed.how());
        assertThat(RaftWorld.run(seed.getAsLong(), plan, Optional.empty()).broken())
                .isEmpty();
    }
}
