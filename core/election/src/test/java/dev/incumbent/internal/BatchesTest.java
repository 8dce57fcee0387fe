package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.protocol.Event;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BatchesTest {
    private static final int MANY = 10_000;

    private final SlowStore store = new SlowStore(Duration.ofNanos(200_000));
    private final List<Integer> asked = new ArrayList<>();
    private final Map<ElectionName, Event> answers = new LinkedHashMap<>();
    private final Map<ElectionName, Reading> told = new HashMap<>();
    private final Map<ElectionName, List<Enlisted>> lines = new HashMap<>();
    private boolean isTold;
    private Optional<CoordinatorException> failsWith = Optional.empty();
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

    @Test
    void aReadingIsToldAsWhatItIs() {
        names().subList(0, 5).forEach(batches::readRecord);
        ObservedRecord found = new ObservedRecord(LeaderRecord.EMPTY, new Revision("7"), false, Optional.empty());
        told.put(names().get(0), new Reading.Found(found));
        told.put(names().get(1), new Reading.Unread("locked"));
        told.put(names().get(2), new Reading.Foreign(new Revision("8"), "of version 9"));
        told.put(names().get(3), new Reading.Absent());
        long sentAt = store.timeline.nanos();
        isTold = true;

        batches.flush();
        store.pass(Duration.ofMillis(10));

        assertThat(answers.values())
                .containsExactly(
                        new Event.RecordObserved(found, sentAt),
                        new Event.RecordUnread("locked"),
                        new Event.RecordUnread("of version 9"),
                        new Event.RecordObserved(ObservedRecord.ABSENT, sentAt),
                        new Event.RecordUnread("the coordinator did not answer for it"));
    }

    @Test
    void aReadThatFailsIsToldToEachThatWasAsked() {
        names().subList(0, 2).forEach(batches::readRecord);
        store.pass(Duration.ofMillis(1));
        failsWith = Optional.of(new CoordinatorException("cut off", false));

        batches.flush();

        assertThat(answers.values())
                .containsExactly(new Event.RecordUnread("cut off"), new Event.RecordUnread("cut off"));
    }

    @Test
    void theListsOfAFewElectionsAreAskedAtOnceAndAnEmptyOneIsToldToo() {
        names().subList(0, 2).forEach(batches::listCandidates);
        Enlisted first =
                new Enlisted(new Candidate(new CandidateId("a"), "a", ""), new LeaseId("L1"), Instant.EPOCH, Set.of());
        lines.put(names().get(0), List.of(first));
        long sentAt = store.timeline.nanos();

        batches.flush();
        store.pass(Duration.ofMillis(10));

        assertThat(asked).containsExactly(2);
        assertThat(answers.values())
                .containsExactly(
                        new Event.CandidatesListed(List.of(first), sentAt),
                        new Event.CandidatesListed(List.of(), sentAt));
    }

    @Test
    void aListThatFailsIsToldToEachThatWasAsked() {
        batches.listCandidates(names().get(0));
        failsWith = Optional.of(new CoordinatorException("cut off", false));

        batches.flush();

        assertThat(answers.values()).containsExactly(new Event.CandidatesUnlisted("cut off"));
    }

    @Test
    void whatIsReadAsAProofIsNotReadOnceMoreBesides() {
        ElectionName one = names().get(0);
        batches.readRecord(one);
        batches.readProof(one);
        batches.readRecord(one);

        batches.flush();
        store.pass(Duration.ofMillis(10));

        assertThat(asked).containsExactly(1);
    }

    /** By ones and twos ten thousand would take for ever. */
    @Test
    void whereManyWaitNoneIsAskedUntilThereIsRoomForAHundred() {
        names().subList(0, 700).forEach(batches::readRecord);
        batches.flush();
        assertThat(asked).containsExactly(500);
        batches.flush();

        assertThat(asked).as("there is no room").containsExactly(500);
        store.pass(Duration.ofSeconds(1));
        assertThat(asked).containsExactly(500, 200);
    }

    @Test
    void listsThatWereAnsweredMakeRoomForOthers() {
        names().subList(0, 2_000).forEach(batches::listCandidates);
        batches.flush();

        store.pass(Duration.ofSeconds(2));

        assertThat(answers).hasSize(2_000);
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
                    if (failsWith.isPresent()) {
                        throw failsWith.get();
                    }
                    Set<ElectionName> names = (Set<ElectionName>) arguments[0];
                    return method.getName().equals("read") ? read(names) : list(names);
                });
    }

    private Object list(Set<ElectionName> names) {
        asked.add(names.size());
        return store.serve(names.size(), () -> lines);
    }

    private Object read(Set<ElectionName> names) {
        asked.add(names.size());
        return store.serve(names.size(), () -> {
            if (isTold) {
                return told;
            }
            Map<ElectionName, Reading> readings = new HashMap<>();
            names.forEach(name -> readings.put(name, new Reading.Absent()));
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
