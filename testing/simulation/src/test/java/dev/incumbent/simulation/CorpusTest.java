package dev.incumbent.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Worlds that once failed are kept as plans, and hold. */
class CorpusTest {
    private static final Path CORPUS = Path.of("src/test/resources/corpus");

    @ParameterizedTest(name = "{0}")
    @MethodSource("corpus")
    void theCorpusHolds(Path file) throws IOException {
        Ending ending = Worlds.run(Plan.read(Files.readString(file)));

        assertThat(ending.violation()).as("%s", file).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("corpus")
    void aPlanIsReadAsItWasWritten(Path file) throws IOException {
        String text = Files.readString(file);

        assertThat(Plan.read(text).text()).isEqualTo(text);
    }

    @Test
    void aKeptWorldStaysTheSameWhenAKindOfFaultIsAdded() throws IOException {
        long seed = Stream.iterate(1L, i -> i + 1)
                .filter(i -> Profile.of(i).kinds().contains(Fault.Kind.PREEMPTED_UNHEARD))
                .findFirst()
                .orElseThrow();
        Profile before = Profile.of(seed, List.of());
        Plan drawnBefore = new Plan(before, before.plan());

        Plan kept = Plan.read(drawnBefore.text());
        Ending ending = Worlds.run(kept);

        assertThat(Plan.of(seed)).as("what the seed draws now").isNotEqualTo(drawnBefore);
        assertThat(kept).isEqualTo(drawnBefore);
        assertThat(ending).isEqualTo(Worlds.run(drawnBefore));
        assertThat(ending.hash()).isNotEqualTo(Worlds.run(seed).hash());
    }

    @Test
    void whatIsNoPlanIsRefused() {
        String text = Plan.of(1).text();

        assertThatThrownBy(() -> Plan.read("{")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> Plan.read("{}"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no plan");
        assertThatThrownBy(() -> Plan.read(text.replaceAll("\"kind\": \"[A-Z_]+\"", "\"kind\": \"METEOR\"")))
                .hasMessageContaining("METEOR");
    }

    static List<Path> corpus() throws IOException {
        try (Stream<Path> files = Files.list(CORPUS)) {
            return files.sorted().toList();
        }
    }
}
