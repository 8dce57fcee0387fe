package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.quorum.Route.Answer;
import dev.incumbent.quorum.Route.Asked;
import dev.incumbent.time.VirtualTimeline;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How a node hands out copies of its table. */
final class CopiesTest {
    private static final int LONG = 700_000;

    private final VirtualTimeline time = new VirtualTimeline();
    private final SharedTable table = SavedTable.table();
    private String barrier = Line.of("AT", "7@e1");
    private final Copies copies =
            new Copies(question -> CompletableFuture.completedFuture(barrier), () -> table.copy("c", "n1"), time);

    @Test
    void thePiecesTogetherAreTheFile() {
        for (int i = 8; i < 13; i++) {
            SavedTable.apply(table, i, "SWAP", "long/" + i, "", "n", "", "x".repeat(LONG));
        }
        Snapshot expected = table.copy("c", "n1");

        List<String> begun = begun();
        StringBuilder text = new StringBuilder();
        for (int piece = 0; piece < Integer.parseInt(begun.get(2)); piece++) {
            Answer answer = ask("/" + begun.get(1) + "/" + piece);
            assertThat(answer.text().length()).isLessThan(2 << 20);
            text.append(answer.text());
        }

        assertThat(begun.get(2)).isEqualTo("3");
        assertThat(Snapshot.of("it", text.toString().getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(expected);
    }

    @Test
    void aCopyStaysAsItWasWhileTheTableGoesOn() {
        List<String> before = table.copy("c", "n1").content();
        List<String> begun = begun();

        SavedTable.apply(table, 8, "SWAP", "later still", "", "n", "", "{}");

        assertThat(ask("/" + begun.get(1) + "/0").text()).endsWith(String.join("\n", before) + "\n");
    }

    @Test
    void oneIsHeldAtATimeUntilItsLastPieceIsTakenOrNobodyAsksForLong() {
        List<String> first = begun();
        assertThat(ask("").status()).isEqualTo(503);
        assertThat(ask("/" + first.get(1) + "/0").status()).isEqualTo(200);
        List<String> second = begun();
        assertThat(ask("/" + first.get(1) + "/0").status()).isEqualTo(404);

        time.advance(Duration.ofSeconds(19));
        assertThat(ask("").status()).isEqualTo(503);
        time.advance(Duration.ofSeconds(1));

        assertThat(ask("/" + second.get(1) + "/0").status()).isEqualTo(404);
        assertThat(begun()).hasSize(3);
    }

    @Test
    void withoutAMajorityThereIsNone() {
        barrier = Line.of("LATER", "no majority answers");

        assertThat(ask("").status()).isEqualTo(503);
        assertThat(ask("").text()).contains("no majority answers");
    }

    @Test
    void whatIsNoPieceIsNotFound() {
        List<String> begun = begun();

        for (String rest :
                new ArrayList<>(List.of("/" + begun.get(1) + "/1", "/" + begun.get(1), "/x/0", "/", "/x/-1"))) {
            assertThat(ask(rest).status()).as(rest).isEqualTo(404);
        }
        assertThat(copies.answer(new Asked("GET", "", "", 1_000, Set.of()))
                        .join()
                        .status())
                .isEqualTo(404);
    }

    private List<String> begun() {
        Answer answer = ask("");
        assertThat(answer.status()).isEqualTo(200);
        return Line.fields(answer.text().strip());
    }

    private Answer ask(String rest) {
        return copies.answer(new Asked("POST", rest, "", 1_000, Set.of(Right.OPERATE)))
                .join();
    }
}
