package dev.incumbent.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AudienceTest {
    private static final ElectionName ONE = new ElectionName("one");
    private static final ElectionName OTHER = new ElectionName("other");

    private final Audience audience = new Audience();
    private final List<String> heard = new ArrayList<>();

    @Test
    void everybodyWhoWatchesIsTold() {
        audience.join(ONE, noting("a"));
        audience.join(ONE, noting("b"));
        audience.join(OTHER, noting("c"));

        audience.tellAll(Watcher::gap);

        assertThat(heard).containsExactlyInAnyOrder("a gap", "b gap", "c gap");
    }

    @Test
    void whoClosesHearsNothingMoreAndIsForgotten() {
        Watching closed = audience.join(ONE, noting("a"));
        audience.join(ONE, noting("b"));

        closed.close();
        closed.close();
        closed.tellState(Optional.of(ObservedRecord.ABSENT));
        audience.tellAll(Watcher::gap);

        assertThat(heard).containsExactly("b gap");
        assertThat(closed.isClosed()).isTrue();
        assertThat(audience.of(ONE)).doesNotContain(closed).hasSize(1);
    }

    @Test
    void theLastOneToCloseLeavesTheElectionUnwatched() {
        Watching last = audience.join(ONE, noting("a"));
        boolean emptyBefore = audience.isEmpty();
        boolean closedBefore = last.isClosed();

        last.close();

        assertThat(emptyBefore).isFalse();
        assertThat(closedBefore).isFalse();
        assertThat(audience.isEmpty()).isTrue();
        assertThat(audience.now()).isEmpty();
    }

    @Test
    void onceClearedNobodyWatches() {
        audience.join(ONE, noting("a"));
        audience.now();

        audience.clear();
        audience.tellAll(Watcher::gap);

        assertThat(audience.isEmpty()).isTrue();
        assertThat(audience.of(ONE)).isEmpty();
        assertThat(heard).isEmpty();
    }

    @Test
    void whoJoinsLaterIsNotInWhatWasTakenBefore() {
        audience.join(ONE, noting("a"));
        Map<ElectionName, List<Watching>> before = audience.now();

        audience.join(ONE, noting("b"));
        audience.join(OTHER, noting("c"));

        assertThat(before).containsOnlyKeys(ONE);
        assertThat(before.get(ONE)).hasSize(1);
        assertThat(audience.now()).containsOnlyKeys(ONE, OTHER);
    }

    @Test
    void aWatcherThatThrowsSilencesNobodyElse() {
        audience.join(ONE, throwing());
        audience.join(ONE, noting("b"));
        Thread thread = Thread.currentThread();
        Thread.UncaughtExceptionHandler before = thread.getUncaughtExceptionHandler();
        thread.setUncaughtExceptionHandler((where, what) -> heard.add(String.valueOf(what.getMessage())));

        try {
            audience.tellAll(Watcher::gap);
        } finally {
            thread.setUncaughtExceptionHandler(before);
        }

        assertThat(heard).containsExactly("thrown", "b gap");
    }

    @Test
    void aStateBeginsIt() {
        Watching watching = audience.join(ONE, noting("a"));

        watching.tell(Watcher::gap);
        boolean begunByAGap = watching.isBegun();
        watching.tellState(Optional.of(ObservedRecord.ABSENT));

        assertThat(begunByAGap).isFalse();
        assertThat(watching.isBegun()).isTrue();
        assertThat(heard).containsExactly("a gap", "a changed");
    }

    @Test
    void aStateThatIsNotUnderstoodIsAGap() {
        audience.join(ONE, noting("a")).tellState(Optional.empty());

        assertThat(heard).containsExactly("a gap");
    }

    @Test
    void whatIsSilencedTellsNobodyThatItEnds() {
        AtomicInteger closings = new AtomicInteger();
        Watching watching = new Watching(ONE, noting("a"), closed -> closings.incrementAndGet());

        watching.silence();
        watching.tell(Watcher::gap);
        watching.close();

        assertThat(heard).isEmpty();
        assertThat(closings).hasValue(0);
    }

    private Watcher noting(String name) {
        return new Watcher() {
            @Override
            public void changed(ObservedRecord record) {
                heard.add(name + " changed");
            }

            @Override
            public void gap() {
                heard.add(name + " gap");
            }

            @Override
            public void currentAsOf(long sentAtNanos) {
                heard.add(name + " current as of " + sentAtNanos);
            }
        };
    }

    private static Watcher throwing() {
        return new Watcher() {
            @Override
            public void changed(ObservedRecord record) {}

            @Override
            public void gap() {
                throw new IllegalStateException("thrown");
            }

            @Override
            public void currentAsOf(long sentAtNanos) {}
        };
    }
}
