package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Trace;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SerialTest {
    private final List<Runnable> threads = new ArrayList<>();
    private final List<String> heard = new ArrayList<>();
    private final Trace trace = new Trace() {
        @Override
        public void failed(String what, Throwable failure) {
            heard.add(what + ": " + failure.getMessage());
        }
    };
    private final Serial serial = new Serial(threads::add, trace, "job");

    @Test
    void allThatWaitsRunsInOrderOnOneThread() {
        serial.execute(() -> heard.add("first"));
        serial.execute(() -> heard.add("second"));

        assertThat(threads).as("one thread, however much waits").hasSize(1);
        assertThat(heard).isEmpty();
        threads.remove(0).run();
        assertThat(heard).containsExactly("first", "second");
    }

    @Test
    void whatComesWhileAPieceRunsRunsAfterIt() {
        serial.execute(() -> {
            serial.execute(() -> heard.add("inner"));
            heard.add("outer");
        });

        threads.remove(0).run();

        assertThat(threads).isEmpty();
        assertThat(heard).containsExactly("outer", "inner");
    }

    @Test
    void whatComesOnceAllHasRunTakesAThreadAnew() {
        serial.execute(() -> heard.add("first"));
        threads.remove(0).run();

        serial.execute(() -> heard.add("second"));

        assertThat(threads).hasSize(1);
        threads.remove(0).run();
        assertThat(heard).containsExactly("first", "second");
    }

    @Test
    void whatThrowsIsTracedAndTheNextRuns() {
        serial.execute(() -> {
            throw new IllegalStateException("broken");
        });
        serial.execute(() -> heard.add("next"));

        threads.remove(0).run();

        assertThat(heard).containsExactly("a listener of job: broken", "next");
    }
}
