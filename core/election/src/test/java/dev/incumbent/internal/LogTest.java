package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Term;
import java.text.MessageFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The log's lines, as a person reads them. */
class LogTest {
    private static final ElectionName JOB = new ElectionName("billing/closer");
    private static final Term TERM = new Term(JOB, 12345, new Candidate(new CandidateId("a"), "a", ""));

    private final Lines lines = new Lines();
    private final Log log = new Log(lines);

    @Test
    void aTermIsOneLineWithItsTokenInPlainDigits() {
        log.onGranted(TERM);

        assertThat(lines.all).containsExactly("INFO billing/closer: this process leads, token 12345");
    }

    @ParameterizedTest
    @CsvSource({
        "RESIGNED, INFO, it resigned",
        "TRANSFERRED, INFO, it handed over",
        "CLOSED, INFO, its candidacy was closed",
        "FROZEN, INFO, the election is frozen",
        "TASK_FAILED, WARNING, its task threw",
        "LEASE_LOST, WARNING, its lease could not be renewed in time",
        "SUPERSEDED, WARNING, a later term or a higher mark at a sink exists",
        "UNHEALTHY, WARNING, the process said that it is not healthy",
        "STALLED, WARNING, its task did not stop"
    })
    void anEndSaysWhyAndWarnsWhereNobodyWantedIt(EndReason reason, String level, String why) {
        log.onRevoked(TERM, reason);

        assertThat(lines.all)
                .containsExactly(level + " billing/closer: this process no longer leads, token 12345: " + why);
    }

    @Test
    void aTransferThatIsGivenUpIsToldWithItsReason() {
        log.onTransferDeclined(TERM, "ledger-2", "it is not among the live candidates");

        assertThat(lines.all)
                .containsExactly(
                        "WARNING billing/closer: this process leads on, token 12345: the transfer to ledger-2 was given up: it is not among the live candidates");
    }

    @Test
    void whatATaskThrewIsLoggedWithItsStack() {
        IllegalStateException thrown = new IllegalStateException("broken {0} 'quote'");
        log.onFailed(TERM, thrown);

        assertThat(lines.all)
                .containsExactly("ERROR billing/closer: the task or listener of token 12345 threw " + thrown);
    }

    @Test
    void troubleIsToldAndThatItIsOver() {
        log.onTrouble(JOB, "sink {0} isn't there");
        log.onTroubleOver(JOB, "sink {0} isn't there");

        assertThat(lines.all)
                .containsExactly(
                        "WARNING billing/closer: sink {0} isn't there",
                        "INFO billing/closer: over: sink {0} isn't there");
    }

    @Test
    void aCoordinatorThatDoesNotAnswerIsToldWithWhatFollowsAndForHowLong() {
        log.onUnreachable("no lease: etcd1:2379 refuses connections");
        log.onReachable(Duration.ofMillis(9234));

        assertThat(lines.all)
                .containsExactly(
                        "WARNING the coordinator gives no lease: etcd1:2379 refuses connections; a leader stops when its lease runs out, and stands again once the coordinator gives one",
                        "INFO the coordinator gives leases again, after 9.2 s");
    }

    @Test
    void aMarkAboveAClaimedTermIsTold() {
        log.onMarkMet(
                new ElectionName("job"),
                1007,
                new SinkId("ledger"),
                new Mark(new FencingToken(1009), MarkOwner.ofOperator("ann")));

        assertThat(lines.all)
                .containsExactly(
                        "WARNING job: term 1007 met the mark 1009 of operator:ann at sink ledger: the coordinator was"
                                + " restored to an older copy, or two of them share the sink; the next term is above that"
                                + " mark");
    }

    @Test
    void aLeaderThatIsNotHeardIsToldAndAMistakeToo() {
        log.onHeard(new CandidateId("a"));
        log.onSuspected(new CandidateId("a"), "its host refuses the connection");
        log.onMistaken(new CandidateId("a"), 2);

        assertThat(lines.all)
                .containsExactly(
                        "INFO the leader a is heard beside the coordinator",
                        "WARNING the leader a is not heard any more: its host refuses the connection; where it guards sinks, another process leads before its lease ends",
                        "WARNING the leader a was suspected by mistake; a silence must last 2 times as long now until it counts");
    }

    /** A logger that keeps its lines, formatted as every System.Logger does. */
    private static final class Lines implements System.Logger {
        final List<String> all = new ArrayList<>();

        @Override
        public String getName() {
            return "lines";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
            all.add(level + " " + message + " " + thrown);
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
            all.add(level + " " + (parameters == null ? format : MessageFormat.format(format, parameters)));
        }
    }
}
