package dev.incumbent.internal;

import dev.incumbent.LeaderTask;
import dev.incumbent.Leadership;
import dev.incumbent.Trace;
import dev.incumbent.beats.BeatTransport;
import dev.incumbent.model.CandidateId;
import dev.incumbent.time.Timeline;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/** A platform on virtual time and the test's own thread: nothing waits, and every task is a task of the test's, which says when it returns. */
final class OneThread implements Platform {
    private static final int MOST_AT_ONCE = 1_000_000;

    final VirtualTimeline time = new VirtualTimeline();
    final List<Started> tasks = new ArrayList<>();
    final List<Duration> waits = new ArrayList<>();
    final List<String> failures = new ArrayList<>();
    Machines machines = Machines.SHIPPED;
    TaskRules taskRules = TaskRules.DEFAULT;
    boolean noThreadIsLeft;
    boolean userCodeIsBlocked;
    /** What is given to a loop meanwhile waits until it is let go. */
    boolean holdsBack;

    Runnable whenATaskStarts = () -> {};
    /** By what processes that start from now on hear each other. */
    Optional<BeatTransport.Source> beats = Optional.empty();

    int closed;
    /** What each comparing of the clocks answered. */
    final List<Boolean> goesOnComparing = new ArrayList<>();

    private final Deque<Runnable> pieces = new ArrayDeque<>();
    private final List<Runnable> heldBack = new ArrayList<>();

    /** What was held back is given to its loop. */
    void letGo() {
        heldBack.forEach(Runnable::run);
        heldBack.clear();
    }

    /** Runs all that waits. */
    void run() {
        int ran = 0;
        for (Runnable piece = pieces.poll(); piece != null; piece = pieces.poll()) {
            piece.run();
            ran++;
            if (ran > MOST_AT_ONCE) {
                throw new AssertionError("it does not come to rest");
            }
        }
    }

    /** A millisecond at a time. */
    void pass(Duration length) {
        Duration step = Duration.ofMillis(1);
        for (Duration left = length; left.compareTo(Duration.ZERO) > 0; left = left.minus(step)) {
            time.advance(step);
            run();
        }
    }

    @Override
    public Timeline timeline() {
        return time;
    }

    @Override
    public Timeline stops() {
        return time;
    }

    @Override
    public void watchTheClocks(Duration every, BooleanSupplier compare) {
        Platform.super.watchTheClocks(every, compare instanceof Comparing ? compare : new Comparing(compare));
    }

    private final class Comparing implements BooleanSupplier {
        private final BooleanSupplier whole;

        Comparing(BooleanSupplier whole) {
            this.whole = whole;
        }

        @Override
        public boolean getAsBoolean() {
            boolean goesOn = whole.getAsBoolean();
            goesOnComparing.add(goesOn);
            return goesOn;
        }
    }

    @Override
    public Strand strand(Runnable whenIdle, Trace trace) {
        return new InTurn(whenIdle);
    }

    @Override
    public Optional<BeatTransport> beats(CandidateId me) {
        return beats.map(source -> source.open(me));
    }

    @Override
    public Executor userCode() {
        return piece -> {
            if (!userCodeIsBlocked) {
                pieces.add(piece);
            }
        };
    }

    @Override
    public TaskRunner tasks() {
        return Started::new;
    }

    @Override
    public TaskRules taskRules() {
        return taskRules;
    }

    @Override
    public Machines machines() {
        return machines;
    }

    @Override
    public void await(CompletionStage<?> done, Duration bound) {
        waits.add(bound);
        run();
    }

    @Override
    public void close() {
        closed++;
    }

    private final class InTurn implements Strand {
        private final Runnable whenIdle;
        private boolean open = true;
        private int waiting;

        InTurn(Runnable whenIdle) {
            this.whenIdle = whenIdle;
        }

        @Override
        public void execute(Runnable task) {
            if (holdsBack) {
                heldBack.add(() -> execute(task));
                return;
            }
            waiting++;
            pieces.add(() -> {
                waiting--;
                if (open) {
                    attempt(task);
                    if (waiting == 0) {
                        attempt(whenIdle);
                    }
                }
            });
        }

        @Override
        public void close() {
            execute(() -> open = false);
        }

        private void attempt(Runnable task) {
            try {
                task.run();
            } catch (RuntimeException e) {
                failures.add(String.valueOf(e.getMessage()));
            }
        }
    }

    /** A task of the test's. */
    final class Started implements TaskRunner.Run {
        final Leadership leadership;
        int interrupts;
        private final TaskRunner.Returned returned;

        Started(LeaderTask task, Leadership leadership, TaskRunner.Returned returned) {
            this.leadership = leadership;
            this.returned = returned;
        }

        @Override
        public void start() {
            if (noThreadIsLeft) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            tasks.add(this);
            whenATaskStarts.run();
        }

        @Override
        public void interrupt() {
            interrupts++;
        }

        void returns() {
            returned.accept(Optional.empty());
            run();
        }

        void fails(Throwable failure) {
            returned.accept(Optional.of(failure));
            run();
        }
    }

    /** The run that was started last. */
    Started task() {
        return tasks.get(tasks.size() - 1);
    }
}
