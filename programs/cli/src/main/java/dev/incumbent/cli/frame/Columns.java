package dev.incumbent.cli.frame;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** A table for people: left-aligned columns under a heading, two blanks apart, an empty cell as a dash. */
public final class Columns {
    private final List<String[]> rows = new ArrayList<>();

    public Columns(String... heading) {
        rows.add(heading);
    }

    /** Adds a row of as many cells as the heading has. */
    public void add(String... cells) {
        rows.add(cells);
    }

    /** Prints it all; nothing, not even the heading, where there is no row. */
    public void print(PrintStream out) {
        if (rows.size() == 1) {
            return;
        }
        int[] widths = widths();
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                line.append(cell(row[i]))
                        .append(" ".repeat(widths[i] - cell(row[i]).length() + 2));
            }
            out.println(line.toString().stripTrailing());
        }
    }

    private int[] widths() {
        int[] widths = new int[rows.get(0).length];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], cell(row[i]).length());
            }
        }
        return widths;
    }

    private static String cell(String text) {
        return text.isEmpty() ? "-" : text;
    }
}
