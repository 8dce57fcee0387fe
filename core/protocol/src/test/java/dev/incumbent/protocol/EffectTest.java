package dev.incumbent.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.Revision;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Term;
import dev.incumbent.outcome.OperatorOutcome;
import dev.incumbent.outcome.Progress;
import dev.incumbent.protocol.operator.OperatorDriver;
import dev.incumbent.protocol.operator.OperatorEffect;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each effect asks its driver for one thing, with the effect's own values in their order. */
class EffectTest {
    private static final Candidate ADA = new Candidate(new CandidateId("ada"), "ada", "");
    private static final Term TERM = new Term(new ElectionName("billing"), 7, ADA);
    private static final Revision R1 = new Revision("r1");
    private static final SinkId DISK = new SinkId("disk");
    private static final Mark MARK = new Mark(new FencingToken(7), MarkOwner.ofCandidate(ADA.id()));

    private final List<List<Object>> asked = new ArrayList<>();

    @Test
    void anElectionsEffectIsPerformedByItsDriver() {
        Enlisted entry = new Enlisted(ADA, new LeaseId("La"), Instant.EPOCH, Set.of(), Set.of());
        LeaderRecord next = LeaderRecord.EMPTY.written("n1");
        Notice notice = new Notice.Disowned(7);
        Driver driver = recording(Driver.class);

        List.of(
                        new Effect.ReadRecord(),
                        new Effect.SwapRecord(R1, next),
                        new Effect.EnlistCandidate(entry, true),
                        new Effect.WithdrawCandidate(ADA.id()),
                        new Effect.ListCandidates(),
                        new Effect.RaiseMark(DISK, MARK),
                        new Effect.ReadMark(DISK),
                        new Effect.BeginTerm(TERM, Optional.empty()),
                        new Effect.InterruptTask(TERM),
                        new Effect.EndTerm(TERM, EndReason.RESIGNED),
                        new Effect.EndSession(),
                        new Effect.Tell(notice))
                .forEach(effect -> effect.performBy(driver));

        assertThat(asked)
                .containsExactly(
                        List.of("readRecord"),
                        List.of("swapRecord", R1, next),
                        List.of("enlist", entry, true),
                        List.of("withdraw", ADA.id()),
                        List.of("listCandidates"),
                        List.of("raise", DISK, MARK),
                        List.of("readMark", DISK),
                        List.of("beginTerm", TERM, Optional.empty()),
                        List.of("interruptTask", TERM),
                        List.of("endTerm", TERM, EndReason.RESIGNED),
                        List.of("endSession"),
                        List.of("tell", notice));
    }

    @Test
    void anOperationsEffectIsPerformedByItsDriver() {
        LeaderRecord next = LeaderRecord.EMPTY.written("n1");
        Progress progress = new Progress.Vacant(7);
        OperatorOutcome outcome = new OperatorOutcome.Failed("no answer", true, false);
        OperatorDriver driver = recording(OperatorDriver.class);

        List.of(
                        new OperatorEffect.ReadRecord("q1"),
                        new OperatorEffect.ReadCandidates("q2"),
                        new OperatorEffect.WatchRecord(),
                        new OperatorEffect.SwapRecord(R1, next),
                        new OperatorEffect.ReadMark(3),
                        new OperatorEffect.RaiseMark(4, MARK),
                        new OperatorEffect.Tell(progress),
                        new OperatorEffect.Conclude(outcome))
                .forEach(effect -> effect.performBy(driver));

        assertThat(asked)
                .containsExactly(
                        List.of("readRecord", "q1"),
                        List.of("readCandidates", "q2"),
                        List.of("watchRecord"),
                        List.of("swapRecord", R1, next),
                        List.of("readMark", 3),
                        List.of("raiseMark", 4, MARK),
                        List.of("tell", progress),
                        List.of("conclude", outcome));
    }

    /** A driver that notes what it is asked, the method first. */
    private <D> D recording(Class<D> driver) {
        return driver.cast(Proxy.newProxyInstance(
                driver.getClassLoader(), new Class<?>[] {driver}, (proxy, method, values) -> {
                    List<Object> call = new ArrayList<>(List.of(method.getName()));
                    call.addAll(values == null ? List.of() : List.of(values));
                    asked.add(call);
                    return null;
                }));
    }
}
