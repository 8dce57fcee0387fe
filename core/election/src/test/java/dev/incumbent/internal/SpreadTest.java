package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.ElectionListener;
import dev.incumbent.LeaderTask;
import dev.incumbent.Trace;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Three processes stand in twelve elections, one leads all of them, and leaves. */
class SpreadTest {
    private static final LeaderTask TASK = leadership -> {};
    private static final int ELECTIONS = 12;
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(6);

    private final OneThread platform = new OneThread();
    private final MemoryStore store = new MemoryStore(platform.time);

    @Test
    void whoSpreadShareWhatAnotherHasLeft() {
        List<Long> led = afterTheEndOfTheFirst(true);

        assertThat(led).allMatch(each -> each >= 5);
        assertThat(led.get(0) + led.get(1)).isEqualTo(ELECTIONS);
    }

    @Test
    void whoDoNotSpreadClaimAsTheyEnlisted() {
        assertThat(afterTheEndOfTheFirst(false)).containsExactly((long) ELECTIONS, 0L);
    }

    @Test
    void smallNumbersAreToldAsTheyAreAndGreaterOnesAbout() {
        assertThat(IntStream.of(0, 1, 15, 16, 17, 18, 100, 10_000).mapToLong(Spread::rounded))
                .containsExactly(0L, 1L, 15L, 16L, 16L, 18L, 96L, 9_216L);
    }

    private List<Long> afterTheEndOfTheFirst(boolean spreads) {
        OneProcess first = process("first", spreads);
        OneProcess second = process("second", spreads);
        OneProcess third = process("third", spreads);
        List<Candidacy> leading = stand(first);
        assertThat(stand(second)).isNotEmpty();
        assertThat(stand(third)).isNotEmpty();
        assertThat(ledBy(first)).isEqualTo(ELECTIONS);

        leading.forEach(Candidacy::closeAsync);
        List.copyOf(platform.tasks).forEach(OneThread.Started::returns);
        platform.pass(LONG_ENOUGH);
        return List.of(ledBy(second), ledBy(third));
    }

    private OneProcess process(String name, boolean spreads) {
        Candidate me = new Candidate(new CandidateId(name), name, "");
        return new OneProcess(
                platform,
                store,
                new ProcessSetup(me, OneProcess.TIMING, Optional.empty(), spreads),
                new Ears(Trace.NONE, ElectionListener.NONE));
    }

    private List<Candidacy> stand(OneProcess process) {
        List<Candidacy> all = new ArrayList<>();
        names().forEach(name -> all.add(process.election(name).campaign(TASK)));
        platform.pass(LONG_ENOUGH);
        return all;
    }

    private static List<String> names() {
        return IntStream.range(0, ELECTIONS).mapToObj(i -> "job-" + i).toList();
    }

    private static long ledBy(OneProcess process) {
        return names().stream()
                .filter(name -> process.runtime
                        .state(new ElectionName(name))
                        .filter(state -> state.role() == Role.LEADER)
                        .isPresent())
                .count();
    }
}
