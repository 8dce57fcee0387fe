package dev.incumbent.protocol.operator;

import static dev.incumbent.protocol.operator.Play.ANN;
import static dev.incumbent.protocol.operator.Play.LED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.EndReason;
import dev.incumbent.model.Feature;
import dev.incumbent.model.Holder;
import dev.incumbent.model.HolderProof;
import dev.incumbent.model.Holders;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.NodeBoot;
import dev.incumbent.model.PastTerm;
import dev.incumbent.outcome.HolderConfirmation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How a person confirms that a holder acts no more. */
class ConfirmTest {
    private static final Holder OLD = new Holder(6, ANN.id(), new NodeBoot("n1", "boot-1", "p"));
    private static final Holder NOW = new Holder(7, ANN.id(), new NodeBoot("n2", "boot-1", "p"));
    private static final HolderProof SAID =
            new HolderProof(HolderProof.Kind.CONFIRMED, "me", "unplugged", Instant.EPOCH);
    private static final LeaderRecord OWED = LED.withRequires(Set.of(Feature.STONITH))
            .withHolders(Holders.of(List.of(OLD, NOW)))
            .remembering(new PastTerm(6, ANN, Instant.EPOCH, Instant.EPOCH, EndReason.LEASE_LOST, Play.LEASE));

    @Test
    void theHolderLeavesTheListAndTheHistoryTellsWhoSaidSo() {
        Play play = confirming("n1", 6);

        LeaderRecord next = play.reads(OWED).swap().next();

        assertThat(next.holders().all()).containsExactly(NOW);
        assertThat(next.history()).last().extracting(PastTerm::stonith).isEqualTo(Optional.of(SAID));
        assertThat(play.accepted().outcome()).isEqualTo(new HolderConfirmation.Confirmed(OLD, SAID, true));
    }

    @Test
    void aTermThatTheHistoryHasForgottenIsConfirmedAndThatIsTold() {
        Play play = confirming("n2", 7);

        play.readsDead(OWED);

        assertThat(play.accepted().outcome()).isEqualTo(new HolderConfirmation.Confirmed(NOW, SAID, false));
    }

    @Test
    void whoeverLeadsUnderALiveLeaseIsNotConfirmed() {
        Play play = confirming("n2", 7).reads(OWED);

        assertThat(play.outcome()).isEqualTo(new HolderConfirmation.Leads(NOW));
        assertThat(play.did()).as("no swap").hasSize(1);
    }

    @Test
    void whoeverNamesAnotherNodeConfirmsNothing() {
        Play play = confirming("n2", 6).reads(OWED);

        assertThat(play.outcome()).isEqualTo(new HolderConfirmation.NotListed(OWED.holders()));
        assertThat(play.did()).as("no swap").hasSize(1);
    }

    @Test
    void whatNobodyListsIsNotConfirmed() {
        Play play = confirming("n1", 6).reads(LED);

        assertThat(play.outcome()).isEqualTo(new HolderConfirmation.NotListed(Holders.NONE));
    }

    private static Play confirming(String node, long term) {
        return Play.of(OperatorProtocol.confirm("me", node, term, "unplugged"));
    }
}
