package dev.incumbent.simulation;

import static dev.incumbent.simulation.Canaries.bug;

import dev.incumbent.internal.TaskRunner;
import dev.incumbent.model.Role;
import dev.incumbent.protocol.Event;
import dev.incumbent.simulation.Canaries.Bug;
import dev.incumbent.simulation.Fault.Kind;
import dev.incumbent.time.Timeline;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Bugs of the driver: how it dates what it is told, and how it treats threads, tasks and alarms. */
final class PlatformBugs {
    private PlatformBugs() {}

    static List<Bug> all() {
        return Stream.of(ofDates(), ofTasks(), ofRenewal())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Bug> ofDates() {
        return List.of(
                bug(
                                "a-read-counts-from-its-answer",
                                "a proof is as old as its request",
                                "SupersededStopsInTime",
                                1,
                                Rewriting.events((state, event, now) -> event instanceof Event.RecordObserved e
                                        ? new Event.RecordObserved(e.observed(), now.nanos())
                                        : event))
                        .needing(Kind.PREEMPTED_UNHEARD),
                bug(
                                "a-watch-counts-from-its-answer",
                                "a proof is as old as its request",
                                "SupersededStopsInTime",
                                1,
                                Rewriting.events((state, event, now) -> event instanceof Event.WatchProved
                                        ? new Event.WatchProved(now.nanos())
                                        : event))
                        .needing(Kind.PREEMPTED_UNHEARD),
                bug(
                                "a-sink-that-fails-is-raised",
                                "a raise that is told as done is done",
                                "NothingStaleAfterTheRaise",
                                1,
                                Rewriting.events((state, event, now) -> event instanceof Event.MarkUnraised e
                                        ? new Event.MarkRaised(e.sink(), e.asked())
                                        : event))
                        .needing(Kind.CUT_FROM_SINKS));
    }

    private static List<Bug> ofTasks() {
        return List.of(
                bug(
                        "an-interrupt-is-not-passed-on",
                        "a term that is over interrupts its task",
                        "TasksAreSoonToldToStop",
                        0,
                        tasks(Deaf::new)),
                bug(
                                "a-return-is-lost",
                                "whoever's task has returned stands again",
                                "WhoStandsIsSoonEnlisted",
                                0,
                                new LosesReturns())
                        .needing(Kind.FAILING_TASK),
                bug(
                                "a-task-that-did-not-start-is-waited-for",
                                "a term whose task cannot be started is not renewed",
                                "SinksTakeItsWrites",
                                1,
                                tasks(NeverStarted::new))
                        .needing(Kind.NO_THREAD));
    }

    private static List<Bug> ofRenewal() {
        return List.of(
                bug(
                                "user-code-on-the-drivers-thread",
                                "user code runs on no thread that renews",
                                "RenewalGoesOnWhateverUserCodeDoes",
                                0,
                                new OnTheStrand())
                        .needing(Kind.USER_CODE_BLOCKS),
                bug(
                        "alarms-get-lost",
                        "a machine is woken when it asked to be",
                        "RenewalGoesOnWhateverUserCodeDoes",
                        0,
                        new Canary() {
                            @Override
                            public Timeline clocks(Timeline whole) {
                                return new LosesAlarms(whole);
                            }
                        }),
                bug(
                                "user-code-gets-lost",
                                "every stage that is handed out completes",
                                "EveryStageCompletes",
                                0,
                                new LosesUserCode())
                        .needing(Kind.RESIGN),
                bug(
                                "who-stands-late-is-told-of-no-lease",
                                "whoever stands hears of the lease that is held",
                                "WhoStandsIsSoonEnlisted",
                                0,
                                Rewriting.events((state, event, now) ->
                                        event instanceof Event.LeaseGranted && state.role() == Role.OBSERVER
                                                ? new Event.Woken()
                                                : event))
                        .needing(Kind.STAND_AGAIN));
    }

    private static Canary tasks(UnaryOperator<TaskRunner.Run> around) {
        return new Canary() {
            @Override
            public TaskRunner tasks(TaskRunner whole) {
                return (task, leadership, returned) -> around.apply(whole.of(task, leadership, returned));
            }
        };
    }

    private record Deaf(TaskRunner.Run whole) implements TaskRunner.Run {
        @Override
        public void start() {
            whole.start();
        }

        @Override
        public void interrupt() {}
    }

    private record NeverStarted(TaskRunner.Run whole) implements TaskRunner.Run {
        @Override
        public void start() {
            try {
                whole.start();
            } catch (OutOfMemoryError noThread) {
                return;
            }
        }

        @Override
        public void interrupt() {
            whole.interrupt();
        }
    }

    /** A task that fails is not heard to have returned. */
    private static final class LosesReturns implements Canary {
        @Override
        public TaskRunner tasks(TaskRunner whole) {
            return (task, leadership, returned) -> whole.of(task, leadership, failure -> {
                if (failure.isEmpty()) {
                    returned.accept(failure);
                }
            });
        }
    }

    /** A timeline with other alarms. */
    private abstract static class OtherAlarms implements Timeline {
        final Timeline whole;

        OtherAlarms(Timeline whole) {
            this.whole = whole;
        }

        @Override
        public long nanos() {
            return whole.nanos();
        }

        @Override
        public long wallMillis() {
            return whole.wallMillis();
        }

        @Override
        public OptionalLong bootNanos() {
            return whole.bootNanos();
        }
    }

    /** One alarm in a hundred never rings. */
    private static final class LosesAlarms extends OtherAlarms {
        private int alarms;

        LosesAlarms(Timeline whole) {
            super(whole);
        }

        @Override
        public Alarm at(long nanos, Runnable task) {
            return ++alarms % 100 == 0 ? () -> {} : whole.at(nanos, task);
        }
    }

    /** While users' code runs nothing else of the driver does. */
    private static final class OnTheStrand implements Canary {
        @Override
        public Executor userCode(Executor whole, Node node) {
            return piece -> {
                node.starvesFor(node.userCodeWaits());
                whole.execute(piece);
            };
        }
    }

    /** Every fifth piece of users' code never runs. */
    private static final class LosesUserCode implements Canary {
        @Override
        public Executor userCode(Executor whole, Node node) {
            AtomicInteger pieces = new AtomicInteger();
            return piece -> {
                if (pieces.incrementAndGet() % 5 > 0) {
                    whole.execute(piece);
                }
            };
        }
    }
}
