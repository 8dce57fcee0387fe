package dev.incumbent.cli.frame;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A table for people: left-aligned columns under a heading, two blanks apart, an empty cell as a dash. At a terminal it is no wider than that. */
public final class Columns {
    private static final int BETWEEN = 2;
    private static final int NARROWEST = 8;

    private final List<Cell[]> rows = new ArrayList<>();

    /** One cell's text, and what its colour tells. */
    public record Cell(String text, Paint paint) {
        /** Cut in the middle, for long names differ at their end. */
        String shown(int width) {
            String whole = text.isEmpty() ? "-" : text;
            if (whole.length() <= width) {
                return whole;
            }
            int tail = (width - 1) / 2;
            return whole.substring(0, width - 1 - tail) + "…" + whole.substring(whole.length() - tail);
        }
    }

    public Columns(String... heading) {
        rows.add(cells(Paint.HEADING, heading));
    }

    /** Adds a row of as many cells as the heading has. */
    public void add(String... texts) {
        rows.add(cells(Paint.PLAIN, texts));
    }

    /** Adds a row, painted. */
    public void add(List<Cell> cells) {
        rows.add(cells.toArray(Cell[]::new));
    }

    private static Cell[] cells(Paint paint, String... texts) {
        return Arrays.stream(texts).map(text -> new Cell(text, paint)).toArray(Cell[]::new);
    }

    /** Prints it all; nothing, not even the heading, where there is no row. */
    public void print(Surroundings around) {
        if (rows.size() > 1) {
            int[] widths = fitting(around.screen());
            rows.forEach(row -> print(around.out(), around.screen(), row, widths));
        }
    }

    private static void print(PrintStream out, Screen screen, Cell[] row, int[] widths) {
        StringBuilder line = new StringBuilder();
        int owed = 0;
        for (int i = 0; i < row.length; i++) {
            String shown = row[i].shown(widths[i]);
            line.append(" ".repeat(owed)).append(screen.paint(row[i].paint(), shown));
            owed = widths[i] - shown.length() + BETWEEN;
        }
        out.println(line);
    }

    /** The widest column gives way until all fit, or none is wide. */
    private int[] fitting(Screen screen) {
        int[] widths = widths();
        int between = BETWEEN * (widths.length - 1);
        int room = screen.fit(Arrays.stream(widths).sum() + between) - between;
        while (Arrays.stream(widths).sum() > room) {
            int widest = widest(widths);
            if (widths[widest] <= NARROWEST) {
                break;
            }
            widths[widest]--;
        }
        return widths;
    }

    private static int widest(int[] widths) {
        int widest = 0;
        for (int i = 1; i < widths.length; i++) {
            widest = widths[i] > widths[widest] ? i : widest;
        }
        return widest;
    }

    private int[] widths() {
        int[] widths = new int[rows.get(0).length];
        for (Cell[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].shown(Integer.MAX_VALUE).length());
            }
        }
        return widths;
    }
}
