package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.time.VirtualTimeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Calls that came together are one entry, and mean what they mean one by one. */
final class TogetherTest {
    private static final String AWKWARD = "{\"a\":\"tab \\\\t, line \\\\n, back\\\\\\\\slash\"}";
    private static final List<String> CALLS = List.of(
            Line.of(Words.GRANT, "L1", "ada", "2000"),
            Line.of(Words.SWAP, "billing", "", "n1", "L1", "tab \t line \n return \r back \\ slash " + AWKWARD),
            Line.of(Words.SWAP, "billing", "", "n2", "L1", "too late"),
            Line.of(Words.KEEP, "L0"),
            Line.of(Words.ENLIST, "billing", "c1", "L1", "first"),
            Line.of(Words.KEEP),
            Line.of(Words.SWAP, "audit", "", "n3", "", "{}"));

    private final VirtualTimeline time = new VirtualTimeline();
    private final List<String> log = new ArrayList<>();
    private final List<CompletableFuture<String>> pending = new ArrayList<>();
    private final Together together = new Together(entry -> {
        log.add(entry);
        CompletableFuture<String> answer = new CompletableFuture<>();
        pending.add(answer);
        return answer;
    });

    @Test
    void theyDoAndAreAnsweredAsOneByOne() {
        SharedTable one = atLevelOne();
        SharedTable all = atLevelOne();
        List<String> singly =
                CALLS.stream().map(call -> one.apply(2, Entry.at(1, call))).toList();

        List<CompletableFuture<String>> answers = together.write(CALLS);
        pending.get(0).complete(all.apply(2, Entry.at(1, log.get(0))));

        assertThat(log).hasSize(1);
        assertThat(answers).extracting(CompletableFuture::join).containsExactlyElementsOf(singly);
        assertThat(singly.get(2)).startsWith(Words.REFUSED + "\tbilling\tn1\t1\t");
        assertThat(singly.get(5)).startsWith(Words.BAD);
        assertThat(all.saved()).isEqualTo(one.saved());
        assertThat(all.query(Line.of(Words.READ, "billing"))).isEqualTo(one.query(Line.of(Words.READ, "billing")));
    }

    @Test
    void whoWatchesIsToldOfAllThatAnEntryChangedAtOnceAndOnce() {
        SharedTable table = atLevelOne();
        List<Set<String>> told = new ArrayList<>();
        table.apply(2, Entry.at(1, Line.of(Words.EPOCH, "e1")));
        table.listen(told::add);

        table.apply(3, Entry.at(1, Entry.together(CALLS)));

        assertThat(told).containsExactly(Set.of("billing", "audit"));
        assertThat(table.changes("2@e1", Set.of("billing", "audit"), Set.of())).hasSize(3);
        assertThat(table.changes("3@e1", Set.of("billing", "audit"), Set.of())).hasSize(1);
    }

    /** Nobody knows what became of it, or surely none of it was done: that is so for each. */
    @Test
    void whatIsNotAnsweredByTheTableIsAnsweredToEach() {
        List<CompletableFuture<String>> answers = together.write(CALLS);

        pending.get(0).complete(Line.of(Words.UNCERTAIN, "no majority"));

        assertThat(answers).hasSize(CALLS.size());
        assertThat(answers).extracting(CompletableFuture::join).containsOnly(Line.of(Words.UNCERTAIN, "no majority"));
    }

    @Test
    void oneAloneIsWrittenAsItIs() {
        together.write(CALLS.subList(0, 1));

        assertThat(log).containsExactly(CALLS.get(0));
    }

    @Test
    void noneIsNoEntry() {
        assertThat(together.write(List.of())).isEmpty();
        assertThat(log).isEmpty();
    }

    @Test
    void noEntryIsLongerThanALongCall() {
        String long1 = Line.of(Words.ENLIST, "billing", "c1", "L1", "x".repeat(Together.LONGEST - 100));
        String short1 = Line.of(Words.ENLIST, "billing", "c2", "L1", "x".repeat(200));
        String short2 = Line.of(Words.ENLIST, "billing", "c3", "L1", "y");

        List<CompletableFuture<String>> answers = together.write(List.of(long1, short1, short2));
        pending.get(0).complete(Words.DONE);
        pending.get(1).complete(Entry.together(List.of(Words.LOST, Words.DONE)));

        assertThat(log).containsExactly(long1, Entry.together(List.of(short1, short2)));
        assertThat(answers).extracting(CompletableFuture::join).containsExactly(Words.DONE, Words.LOST, Words.DONE);
    }

    @Test
    void belowLevelOneNoBuildKnowsThem() {
        SharedTable table = new SharedTable(time);

        assertThatThrownBy(() -> table.apply(1, Entry.together(CALLS)))
                .isInstanceOf(UnknownFormat.class)
                .hasMessageContaining("begins with 'TOGETHER'");
        assertThat(table.saved()).isEmpty();
    }

    private SharedTable atLevelOne() {
        SharedTable table = new SharedTable(time);
        table.apply(1, Line.of(Entry.LEVEL, "1"));
        return table;
    }
}
