package dev.incumbent;

import dev.incumbent.fence.MarkRule;
import dev.incumbent.fence.Raise;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Mark;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.model.SinkId;
import dev.incumbent.outcome.OperatorOutcome;
import dev.incumbent.outcome.Progress;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import dev.incumbent.protocol.operator.Concluded;
import dev.incumbent.protocol.operator.OperatorDriver;
import dev.incumbent.protocol.operator.OperatorEffect;
import dev.incumbent.protocol.operator.OperatorEvent;
import dev.incumbent.protocol.operator.OperatorProtocol;
import dev.incumbent.protocol.operator.OperatorState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Several operators at once over one record and its sinks; in which order messages arrive, and which are lost, a seed decides. */
final class ElectionAdminWorld {
    final Map<SinkId, Mark> marks = new LinkedHashMap<>();
    final List<Operated> operations = new ArrayList<>();
    LeaderRecord record;

    private final OperatorProtocol protocol = new OperatorProtocol();
    private final List<SinkId> sinks;
    private final List<Runnable> underWay = new ArrayList<>();
    private final Random random;
    private long nanos;
    private boolean faultless;

    ElectionAdminWorld(long seed, LeaderRecord record) {
        this.random = new Random(seed);
        this.record = record;
        this.sinks = List.copyOf(record.sinks().keySet());
    }

    Operated begin(OperatorState state) {
        Operated operation = new Operated(state);
        operations.add(operation);
        operation.take(new OperatorEvent.Begun());
        return operation;
    }

    /** One thing happens: a message arrives, an operator is woken, or one dies. */
    void happen() {
        if (!underWay.isEmpty() && random.nextInt(5) > 0) {
            underWay.remove(random.nextInt(underWay.size())).run();
        } else if (!operations.isEmpty()) {
            Operated one = operations.get(random.nextInt(operations.size()));
            if (random.nextInt(12) == 0) {
                one.die();
            } else if (!one.isOver()) {
                one.wake();
            }
        }
    }

    /** All that is under way arrives, and every operator that lives comes to its end, with nothing lost any more. */
    void settle() {
        faultless = true;
        for (int i = 0; i < 10_000 && !isSettled(); i++) {
            if (!underWay.isEmpty()) {
                underWay.remove(random.nextInt(underWay.size())).run();
            } else {
                operations.stream()
                        .filter(one -> !one.isOver())
                        .findFirst()
                        .orElseThrow()
                        .wake();
            }
        }
        if (!isSettled()) {
            throw new AssertionError("still under way: " + operations);
        }
    }

    private boolean isSettled() {
        return underWay.isEmpty() && operations.stream().allMatch(Operated::isOver);
    }

    /** A faulty world loses one answer in four, of a request that has arrived, or may arrive later. */
    private void send(Runnable arrival, Runnable lost) {
        if (faultless || random.nextInt(4) > 0) {
            underWay.add(arrival);
        } else {
            underWay.add(lost);
        }
    }

    /** One operation, and what it has been answered. */
    final class Operated implements OperatorDriver {
        private OperatorState state;
        private long wakeAt = Step.NEVER;
        private boolean dead;

        private Operated(OperatorState state) {
            this.state = state;
        }

        boolean isOver() {
            return dead || state instanceof Concluded;
        }

        Optional<OperatorOutcome> outcome() {
            return state instanceof Concluded concluded ? Optional.of(concluded.outcome()) : Optional.empty();
        }

        /** Its process ends; what it has sent may still arrive. */
        void die() {
            dead = true;
        }

        private void wake() {
            if (wakeAt != Step.NEVER) {
                nanos = Math.max(nanos, wakeAt);
                take(new OperatorEvent.TimePassed());
            }
        }

        private void take(OperatorEvent event) {
            if (isOver()) {
                return;
            }
            Step<OperatorState, OperatorEffect> step =
                    protocol.step(state, event, new Moment(nanos, Instant.EPOCH.plusNanos(nanos)));
            state = step.state();
            wakeAt = step.wakeAtNanos();
            step.effects().forEach(effect -> effect.performBy(this));
        }

        private void answer(OperatorEvent event) {
            underWay.add(() -> take(event));
        }

        @Override
        public void readRecord(String question) {
            send(
                    () -> answer(new OperatorEvent.RecordRead(
                            question,
                            new ObservedRecord(record, new Revision(record.nonce()), false, Optional.empty()))),
                    () -> answer(new OperatorEvent.Unanswered(question, "lost")));
        }

        @Override
        public void readCandidates(String question) {
            answer(new OperatorEvent.CandidatesRead(question, List.of()));
        }

        @Override
        public void watchRecord() {}

        @Override
        public void swapRecord(Revision expected, LeaderRecord next) {
            Runnable arrival = () -> {
                boolean same = record.nonce().equals(expected.value());
                if (same) {
                    record = next;
                }
                answer(
                        same
                                ? new OperatorEvent.SwapAccepted(next.nonce())
                                : new OperatorEvent.SwapRefused(next.nonce()));
            };
            send(arrival, () -> {
                answer(new OperatorEvent.SwapUncertain(next.nonce(), "lost"));
                underWay.add(arrival);
            });
        }

        @Override
        public void readMark(int sink) {
            SinkId id = sinks.get(sink);
            send(
                    () -> answer(new OperatorEvent.MarkRead(sink, id, Optional.ofNullable(marks.get(id)))),
                    () -> answer(new OperatorEvent.MarkUnread(sink, "lost")));
        }

        @Override
        public void raiseMark(int sink, Mark mark) {
            send(() -> answer(raised(sink, mark)), () -> {
                answer(new OperatorEvent.RaiseUncertain(sink, mark, "lost"));
                underWay.add(() -> raised(sink, mark));
            });
        }

        private OperatorEvent raised(int sink, Mark mark) {
            SinkId id = sinks.get(sink);
            Mark before = marks.get(id);
            Raise raise = (before == null ? MarkRule.unmarked() : MarkRule.at(before)).raise(mark);
            if (raise instanceof Raise.Raised now) {
                marks.put(id, now.inForce());
                return new OperatorEvent.MarkRaised(sink, now.inForce());
            }
            return new OperatorEvent.RaiseRefused(sink, mark, ((Raise.Refused) raise).inForce());
        }

        @Override
        public void tell(Progress progress) {}

        @Override
        public void conclude(OperatorOutcome outcome) {}

        @Override
        public String toString() {
            return dead ? "dead" : state.toString();
        }
    }
}
