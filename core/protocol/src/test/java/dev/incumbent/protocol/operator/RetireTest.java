package dev.incumbent.protocol.operator;

import static dev.incumbent.protocol.operator.Play.AUDIT;
import static dev.incumbent.protocol.operator.Play.LED;
import static dev.incumbent.protocol.operator.Play.LEDGER;
import static dev.incumbent.protocol.operator.Play.frozen;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.LeaderRecord;
import dev.incumbent.outcome.Retirement;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RetireTest {
    @Test
    void aForgottenSinkMovesAmongTheRetired() {
        Play play = Play.of(OperatorProtocol.retireSink("me", LEDGER));

        LeaderRecord next = play.reads(frozen(LED, "frost", 8)).swap().next();

        assertThat(next.sinks()).isEmpty();
        assertThat(next.retiredSinks()).containsExactly(LEDGER);
        assertThat(next.isFrozen()).as("the flag stays").isTrue();
        assertThat(play.accepted().outcome()).isEqualTo(new Retirement.Done(true));
    }

    @Test
    void aSinkThatTheRecordDoesNotNameIsNotForgotten() {
        Play play = Play.of(OperatorProtocol.retireSink("me", AUDIT));

        play.reads(LED);

        assertThat(play.outcome()).isEqualTo(new Retirement.UnknownSink(Set.of(LEDGER)));
    }

    @Test
    void forgettingTwiceChangesNothing() {
        Play play = Play.of(OperatorProtocol.retireSink("me", LEDGER));

        play.reads(LED.withSinks(Map.of()).withRetiredSinks(Set.of(LEDGER)));

        assertThat(play.outcome()).isEqualTo(new Retirement.Done(false));
    }

    @Test
    void takenBackTheSinkMayBeBroughtAgain() {
        Play play = Play.of(OperatorProtocol.reinstateSink("me", LEDGER));

        LeaderRecord next = play.reads(LED.withSinks(Map.of()).withRetiredSinks(Set.of(LEDGER)))
                .swap()
                .next();

        assertThat(next.retiredSinks()).isEmpty();
    }

    @Test
    void anUnansweredSwapIsSettledByReading() {
        Play play =
                Play.of(OperatorProtocol.retireSink("me", LEDGER)).reads(LED).uncertain();

        play.waits().reads(LED.withSinks(Map.of()).withRetiredSinks(Set.of(LEDGER)));

        assertThat(play.outcome()).isEqualTo(new Retirement.Done(true));
    }
}
