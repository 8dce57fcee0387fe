package dev.incumbent.health;

import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Where the questions of one check run, one at a time. Thread-safe. */
interface CheckThread {
    /** Runs it soon. */
    void run(Runnable question);

    /** Interrupts what runs now, if anything does. */
    void interrupt();

    /** Runs nothing more, and interrupts what runs now. */
    void close();

    /** A daemon thread of that name, there while it is needed. */
    static CheckThread named(String name) {
        return new Daemon(name);
    }

    /** A thread that is interrupted only while a question runs on it. */
    final class Daemon implements CheckThread {
        private static final int IDLE_SECONDS = 60;

        private final ThreadPoolExecutor thread;
        private Optional<Thread> running = Optional.empty();

        private Daemon(String name) {
            thread = new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
                Thread made = new Thread(work, name);
                made.setDaemon(true);
                return made;
            });
            thread.allowCoreThreadTimeOut(true);
        }

        @Override
        public void run(Runnable question) {
            thread.execute(() -> {
                begins(Optional.of(Thread.currentThread()));
                try {
                    question.run();
                } finally {
                    begins(Optional.empty());
                }
            });
        }

        private synchronized void begins(Optional<Thread> on) {
            running = on;
            if (on.isEmpty()) {
                Thread.interrupted(); // it was meant for this question, and not for the next one
            }
        }

        @Override
        public synchronized void interrupt() {
            running.ifPresent(Thread::interrupt);
        }

        @Override
        public void close() {
            thread.shutdownNow();
        }
    }
}
