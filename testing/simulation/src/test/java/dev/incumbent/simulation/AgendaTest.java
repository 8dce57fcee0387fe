package dev.incumbent.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What is put down happens in order, unless it is struck out. */
class AgendaTest {
    private final Agenda agenda = new Agenda();
    private final List<String> happened = new ArrayList<>();

    private final class Note extends Agenda.Item {
        private final String name;

        Note(String name) {
            this.name = name;
        }

        @Override
        void happen() {
            happened.add(name + " at " + agenda.now());
        }
    }

    @Test
    void whatIsDueAtOneTimeHappensInTheOrderOfBeingPutDown() {
        agenda.put(7, new Note("c"));
        agenda.put(5, new Note("a"));
        agenda.put(5, new Note("b"));

        runUntil(7);

        assertThat(happened).containsExactly("a at 5", "b at 5", "c at 7");
    }

    @Test
    void whatIsDueBeyondTheHorizonWaits() {
        agenda.put(5, new Note("a"));
        agenda.put(6, new Note("b"));

        runUntil(5);

        assertThat(happened).containsExactly("a at 5");
        assertThat(agenda.now()).isEqualTo(5);
    }

    @Test
    void whatIsPutDownForThePastHappensNow() {
        agenda.at(5, () -> agenda.put(3, new Note("late")));

        runUntil(5);

        assertThat(happened).containsExactly("late at 5");
    }

    @Test
    void anItemHappensAgainOnceItIsPutDownAgain() {
        Note twice = new Note("twice");
        agenda.put(1, twice);
        agenda.at(2, () -> agenda.put(4, twice));

        runUntil(9);

        assertThat(happened).containsExactly("twice at 1", "twice at 4");
    }

    @Test
    void whatWasStruckOutOrHasHappenedIsStruckOutInVain() {
        Note struck = new Note("struck");
        Note past = new Note("past");
        agenda.put(1, past);
        agenda.put(2, struck);
        agenda.put(3, new Note("left"));

        agenda.strike(struck);
        agenda.strike(struck);
        runUntil(1);
        agenda.strike(past);
        runUntil(9);

        assertThat(happened).containsExactly("past at 1", "left at 3");
    }

    /** Against a sorted map: a thousand items at drawn times, every third struck out, wherever it lies by then. */
    @Test
    void aThousandItemsHappenInOrderWhateverIsStruckOutAmongThem() {
        Draws draws = new Draws(20_261_121L, 1);
        TreeMap<String, String> expected = new TreeMap<>();
        List<Note> down = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            long at = draws.below(0, 300);
            Note note = new Note("n" + i);
            agenda.put(at, note);
            down.add(note);
            expected.put("%03d %04d".formatted(at, i), "n" + i + " at " + at);
            if (i % 3 == 0) {
                int which = (int) draws.below(0, down.size());
                Note struck = down.remove(which);
                agenda.strike(struck);
                expected.values().removeIf(line -> line.startsWith(struck.name + " "));
            }
        }

        runUntil(300);

        assertThat(happened).hasSize(666).containsExactlyElementsOf(expected.values());
    }

    private void runUntil(long horizon) {
        boolean more;
        do {
            more = agenda.next(horizon);
        } while (more);
    }
}
