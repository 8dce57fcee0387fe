package dev.incumbent.fence.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The part of {@link FenceContract} on marks: what a raise may pass. */
abstract class MarkContract {
    static final ElectionName BILLING = SinkOnTrial.BILLING;
    static final ElectionName REPORTS = new ElectionName("reports");
    static final MarkOwner ANNA = candidate("anna@host-1-a");
    static final MarkOwner BERT = candidate("bert@host-2-b");
    static final MarkOwner FREEZE = MarkOwner.ofFreeze("ops@host");
    static final MarkOwner OPERATOR = MarkOwner.ofOperator("ops@host");

    SinkOnTrial sink;

    /** A fresh sink, installed, with no marks and nothing written. */
    protected abstract FenceRig rig();

    @BeforeEach
    final void open() {
        sink = new SinkOnTrial(rig());
    }

    @AfterEach
    final void close() {
        sink.close();
    }

    @Test
    final void aRaiseIsRepeatableByItsOwner() throws Exception {
        sink.raised(mark(7, ANNA));

        sink.raised(mark(7, ANNA));

        assertThat(sink.marks()).containsExactly(Map.entry(BILLING, mark(7, ANNA)));
        sink.write(7, "admitted");
    }

    @Test
    final void anEqualMarkOfAnotherIsRefusedHoweverOftenItIsAsked() throws Exception {
        sink.raised(mark(7, ANNA));

        sink.assertRefused(mark(7, BERT), mark(7, ANNA));
        sink.assertRefused(mark(7, BERT), mark(7, ANNA));
        sink.assertRefused(mark(7, OPERATOR), mark(7, ANNA));

        assertThat(sink.marks()).containsEntry(BILLING, mark(7, ANNA));
    }

    /** Some databases compare texts without their case, unless they are told otherwise. */
    @Test
    final void ownersAndElectionsThatDifferInTheirCaseAreTwo() throws Exception {
        ElectionName capital = new ElectionName("Billing/closer");
        MarkOwner namesake = candidate("anna@host-1-A");
        sink.raised(mark(7, ANNA));

        sink.assertRefused(mark(7, namesake), mark(7, ANNA));
        assertThat(sink.raise(capital, mark(3, namesake))).isEqualTo(new Raise.Raised(mark(3, namesake)));

        assertThat(sink.marks()).isEqualTo(Map.of(BILLING, mark(7, ANNA), capital, mark(3, namesake)));
        assertThat(sink.marks(Set.of(capital))).isEqualTo(Map.of(capital, mark(3, namesake)));
        assertThatThrownBy(() -> sink.write(3, "of the other election")).isInstanceOf(StaleTokenException.class);
        sink.write(7, "admitted");
    }

    @Test
    final void aLowerRaiseIsRefusedWithTheMarkInForce() throws Exception {
        sink.raised(mark(7, ANNA));
        sink.raised(mark(8, BERT));

        sink.assertRefused(mark(7, ANNA), mark(8, BERT));
        sink.assertRefused(mark(1, FREEZE), mark(8, BERT));

        sink.write(8, "admitted");
    }

    @Test
    final void aRaiseByMoreThanTwoToTheThirtyTwoIsRefused() throws Exception {
        assertThat(sink.raise(mark(Raise.FURTHEST + 1, ANNA))).isEqualTo(new Raise.TooFar(0));
        sink.raised(mark(7, ANNA));

        assertThat(sink.raise(mark(Long.MAX_VALUE, OPERATOR))).isEqualTo(new Raise.TooFar(7));
        assertThat(sink.raise(mark(8 + Raise.FURTHEST, FREEZE))).isEqualTo(new Raise.TooFar(7));

        sink.write(7, "still admitted");
        sink.raised(mark(7 + Raise.FURTHEST, BERT));
    }

    @Test
    final void aFreezeRefusesEveryoneElseWhateverTheNumber() throws Exception {
        sink.raised(mark(7, ANNA));
        sink.raised(mark(8, FREEZE));

        sink.assertRefused(mark(9, ANNA), mark(8, FREEZE));
        sink.assertRefused(mark(1_000_000, BERT), mark(8, FREEZE));
        sink.assertRefused(mark(9, OPERATOR), mark(8, FREEZE));
        sink.assertRefused(mark(8, ANNA), mark(8, FREEZE));

        assertThatThrownBy(() -> sink.write(7, "late")).isInstanceOf(StaleTokenException.class);
    }

    @Test
    final void aNewerFreezePassesAFreeze() throws Exception {
        MarkOwner another = MarkOwner.ofFreeze("second@host");
        sink.raised(mark(8, FREEZE));
        sink.raised(mark(8, FREEZE));
        sink.assertRefused(mark(8, another), mark(8, FREEZE));

        sink.raised(mark(9, another));

        sink.assertRefused(mark(8, FREEZE), mark(9, another));
    }

    @Test
    final void onlyAThawThatNamesItsMarkPassesAFreeze() throws Exception {
        sink.raised(mark(8, FREEZE));
        sink.assertRefused(mark(20, MarkOwner.ofThaw("ops@host", 7)), mark(8, FREEZE));
        sink.assertRefused(mark(20, MarkOwner.ofThaw("ops@host", 0)), mark(8, FREEZE));
        sink.assertRefused(mark(20, MarkOwner.ofThaw("ops@host", 80)), mark(8, FREEZE));
        sink.assertRefused(mark(8, MarkOwner.ofThaw("ops@host", 8)), mark(8, FREEZE));

        Mark thawed = mark(20, MarkOwner.ofThaw("ops@host", 8));
        sink.raised(thawed);
        sink.raised(thawed);

        sink.assertRefused(mark(20, MarkOwner.ofThaw("another@host", 8)), thawed);
    }

    @Test
    final void aThawsMarkMayBePassed() throws Exception {
        sink.raised(mark(8, FREEZE));
        sink.raised(mark(9, MarkOwner.ofThaw("ops@host", 8)));

        sink.raised(mark(10, BERT));

        sink.write(10, "thawed");
    }

    static MarkOwner candidate(String id) {
        return MarkOwner.ofCandidate(new CandidateId(id));
    }

    static Mark mark(long token, MarkOwner owner) {
        return new Mark(new FencingToken(token), owner);
    }
}
