package dev.incumbent.cli.frame;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.frame.Columns.Cell;
import dev.incumbent.time.VirtualTimeline;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ColumnsTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    void aTableThatNobodyLooksAtIsNeitherCutNorPainted() {
        assertThat(printed(Screen.NONE, "x".repeat(200))).isEqualTo("A     B\ngood  " + "x".repeat(200) + "\n");
    }

    @Test
    void aTerminalThatIsWideEnoughIsNotAskedForMore() {
        Screen eighty = new Screen(false, () -> {
            throw new AssertionError("asked");
        });

        assertThat(printed(eighty, "x".repeat(74))).contains("x".repeat(74));
    }

    @Test
    void whatIsWiderThanTheTerminalIsCutWhereItIsWidest() {
        String cut = printed(new Screen(false, () -> 100), "x".repeat(199) + "7");

        assertThat(cut).isEqualTo("A     B\ngood  " + "x".repeat(47) + "…" + "x".repeat(45) + "7\n");
        assertThat(cut.lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(100));
    }

    @Test
    void noColumnIsCutToNothing() {
        assertThat(printed(new Screen(false, () -> 3), "x".repeat(200))).contains("good  xxxx…xxx\n");
    }

    @Test
    void colourTakesNoRoom() {
        String painted = printed(new Screen(true, () -> 80), "x");

        assertThat(painted).contains("\u001b[32mgood\u001b[0m  x\n", "\u001b[1mA\u001b[0m ");
        assertThat(painted.replaceAll("\\e\\[[0-9;]*m", "")).isEqualTo("A     B\ngood  x\n");
    }

    private String printed(Screen screen, String wide) {
        Columns columns = new Columns("A", "B");
        columns.add(List.of(new Cell("good", Paint.GOOD), new Cell(wide, Paint.PLAIN)));
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        columns.print(new Surroundings(
                Map.of(),
                InputStream.nullInputStream(),
                stream,
                stream,
                screen,
                new VirtualTimeline(),
                List.of(),
                List.of()));
        return out.toString(StandardCharsets.UTF_8);
    }
}
