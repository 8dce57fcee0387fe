package dev.incumbent.calls;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The servers of a lane under test: each tells what it was handed, and does with it what the test says next. */
final class Scripted {
    private final LinkedBlockingQueue<Serving> servings = new LinkedBlockingQueue<>();
    private final List<String> told = new ArrayList<>();
    private final int together;

    Scripted(int together) {
        this.together = together;
    }

    /** Calls that one server was handed, and that wait for what becomes of them. */
    static final class Serving {
        private final List<Call<String>> calls;
        private final Thread thread = Thread.currentThread();
        private final CountDownLatch decided = new CountDownLatch(1);
        private volatile Runnable outcome = () -> {};
        private volatile Runnable work = () -> {};

        Serving(List<Call<String>> calls) {
            this.calls = List.copyOf(calls);
        }

        List<Call<String>> calls() {
            return calls;
        }

        Thread thread() {
            return thread;
        }

        /** Lets the server work so, and return that. */
        void ends(Runnable doing, Runnable returned) {
            work = doing;
            outcome = returned;
            decided.countDown();
        }

        /** Lets it answer all of them, and return. */
        void answers() {
            ends(() -> {}, () -> calls.forEach(call -> call.answer("served")));
        }

        private Runnable await() {
            boolean interrupted = false;
            while (decided.getCount() > 0) {
                try {
                    decided.await();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            work.run();
            return outcome;
        }
    }

    Server<Call<String>> server() {
        return new Server<>() {
            @Override
            public void take(Deque<Call<String>> waiting, List<Call<String>> taken) {
                while (!waiting.isEmpty() && taken.size() < together) {
                    taken.add(waiting.removeFirst());
                }
            }

            @Override
            public Runnable serve(List<Call<String>> calls) {
                Serving serving = new Serving(calls);
                servings.add(serving);
                return serving.await();
            }

            @Override
            public void abandoned() {
                tell("abandoned");
            }

            @Override
            public void aborted() {
                tell("aborted");
            }

            @Override
            public void leave() {
                tell("left");
            }
        };
    }

    /** What the next server to be asked was handed. */
    Serving next() throws InterruptedException {
        Serving next = servings.poll(20, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no server was asked");
        }
        return next;
    }

    /** Is no server asked, for a while? */
    boolean staysIdle() throws InterruptedException {
        return servings.poll(100, TimeUnit.MILLISECONDS) == null;
    }

    private void tell(String what) {
        synchronized (told) {
            told.add(what);
            told.notifyAll();
        }
    }

    /** What servers were told so far. */
    List<String> told() {
        synchronized (told) {
            return List.copyOf(told);
        }
    }

    /** Waits until they were told as much. */
    List<String> told(int count) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        synchronized (told) {
            while (told.size() < count && System.nanoTime() - end < 0) {
                told.wait(20);
            }
            return List.copyOf(told);
        }
    }
}
