package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.ElectionName;
import dev.incumbent.protocol.Event;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BatchesTest {
    private static final int MANY = 10_000;

    private final SlowStore store = new SlowStore(Duration.ofNanos(200_000));
    private final List<Integer> asked = new ArrayList<>();
    private final Map<ElectionName, Event> answers = new LinkedHashMap<>();
    private final Batches batches =
            new Batches(coordinator(), new LeaseClock(store.timeline), SlowStore.PROMPT_NANOS, new Told());

    @Test
    void tenThousandProofsAreReadByAndByAndEachInTime() {
        names().forEach(batches::readProof);
        batches.flush();
        store.pass(Duration.ofMillis(2_300));

        assertThat(store.timedOut()).isZero();
        assertThat(answers).hasSize(MANY);
        assertThat(answers.values()).allMatch(Event.RecordObserved.class::isInstance);
        assertThat(asked).allMatch(count -> count >= 100).hasSizeLessThan(40);
    }

    /** Each is told when its own request left, not when it was wanted: that is what it proves. */
    @Test
    void aProofIsAsOldAsItsOwnRequest() {
        names().forEach(batches::readProof);
        batches.flush();
        store.pass(Duration.ofMillis(2_300));

        List<Long> sent = answers.values().stream()
                .map(event -> ((Event.RecordObserved) event).sentAtNanos())
                .distinct()
                .toList();
        assertThat(sent).isSorted().hasSizeGreaterThan(5);
    }

    @Test
    void whatProvesATermIsReadBeforeWhatIsMerelyWanted() {
        List<ElectionName> names = names();
        names.forEach(batches::readRecord);
        batches.flush();
        batches.readProof(names.get(MANY - 1));
        store.pass(Duration.ofMillis(2_300));

        assertThat(List.copyOf(answers.keySet()).indexOf(names.get(MANY - 1))).isLessThan(2_000);
        assertThat(answers).hasSize(MANY);
    }

    @Test
    void theReadsOfAFewElectionsAreOneAndLeaveAtOnce() {
        names().subList(0, 40).forEach(batches::readRecord);
        batches.flush();

        assertThat(asked).containsExactly(40);
    }

    private static List<ElectionName> names() {
        List<ElectionName> names = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            names.add(new ElectionName("offices/" + i));
        }
        return names;
    }

    @SuppressWarnings("unchecked") // read() takes a set of names
    private Coordinator coordinator() {
        return (Coordinator) Proxy.newProxyInstance(
                Coordinator.class.getClassLoader(), new Class<?>[] {Coordinator.class}, (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("read");
                    return read((Set<ElectionName>) arguments[0]);
                });
    }

    private Object read(Set<ElectionName> names) {
        asked.add(names.size());
        long sentAt = store.timeline.nanos();
        return store.serve(names.size(), () -> {
            Map<ElectionName, Reading> readings = new HashMap<>();
            names.forEach(name -> readings.put(name, new Reading.Absent(sentAt)));
            return readings;
        });
    }

    private final class Told implements Batches.Answers {
        @Override
        public void of(ElectionName election, Event event) {
            answers.put(election, event);
        }

        @Override
        public void thereafter(Runnable task) {
            task.run();
            batches.flush();
        }
    }
}
