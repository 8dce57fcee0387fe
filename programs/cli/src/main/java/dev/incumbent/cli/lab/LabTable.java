package dev.incumbent.cli.lab;

import dev.incumbent.cli.frame.Columns;
import dev.incumbent.cli.frame.Columns.Cell;
import dev.incumbent.cli.frame.Paint;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.lab.LabCell;
import dev.incumbent.lab.ScenarioPlan;
import java.util.List;
import java.util.Locale;

/** What the lab measured, as a table for each scenario. */
final class LabTable {
    /** Of the sizes that run unless others are asked for, the one that is shown. */
    static final int SHOWN_SIZE = 5;

    private static final double BAD_AVAILABILITY = 0.9;

    private final Surroundings around;
    private final boolean oneSize;

    LabTable(Surroundings around, boolean oneSize) {
        this.around = around;
        this.oneSize = oneSize;
    }

    void print(List<LabCell> cells) {
        List<ScenarioPlan> scenarios =
                cells.stream().map(cell -> cell.place().scenario()).distinct().toList();
        for (ScenarioPlan scenario : scenarios) {
            List<LabCell> those = cells.stream()
                    .filter(cell -> cell.place().scenario() == scenario)
                    .filter(cell -> !oneSize || cell.place().size() == SHOWN_SIZE)
                    .toList();
            if (!those.isEmpty()) {
                print(scenario, those);
            }
        }
        around.out()
                .println("Seconds unless said otherwise. Two and nobody: with two believers or more, and with none, in"
                        + " a run.");
        around.out()
                .println("Lost and stale: writes in all runs together; of raft and lease+fence without a fence until"
                        + " the fence told its leader, which then stops, and after the stroke behind it.");
        around.out().println("Available: the share of seconds in which a write was accepted by some leader.");
        if (oneSize) {
            around.out()
                    .println("Groups of " + SHOWN_SIZE + " members; -o json has all sizes, --members N shows others.");
        }
    }

    private void print(ScenarioPlan scenario, List<LabCell> cells) {
        around.out().println(scenario.label() + ": " + scenario.what());
        Columns table = new Columns(
                "protocol",
                "members",
                "lease",
                "detected",
                "p99",
                "new leader",
                "p99",
                "two",
                "nobody",
                "msg/s",
                "msg/election",
                "lost",
                "stale",
                "available");
        cells.forEach(cell -> table.add(row(cell)));
        table.print(around);
        around.out().println();
    }

    private static List<Cell> row(LabCell cell) {
        return List.of(
                plain(cell.place().protocol().label()),
                plain(Integer.toString(cell.place().size())),
                plain(LabVerb.lease(cell)),
                plain(seconds(cell.detection().p50())),
                plain(seconds(cell.detection().p99())),
                plain(seconds(cell.takeover().p50())),
                plain(seconds(cell.takeover().p99())),
                new Cell(number("%.2f", cell.several()), cell.several() >= 0.005 ? Paint.BAD : Paint.PLAIN),
                new Cell(number("%.2f", cell.none()), cell.none() >= 0.005 ? Paint.DOUBTFUL : Paint.PLAIN),
                plain(number("%.1f", cell.messages())),
                plain(
                        cell.electionMessages().isPresent()
                                ? number("%.1f", cell.electionMessages().getAsDouble())
                                : ""),
                counts(cell, cell.lost(), cell.lostThoughFenced()),
                counts(cell, cell.stale(), cell.staleThoughFenced()),
                new Cell(
                        number("%.1f %%", cell.availability() * 100),
                        cell.availability() < BAD_AVAILABILITY ? Paint.DOUBTFUL : Paint.PLAIN));
    }

    private static Cell counts(LabCell cell, long open, long fenced) {
        boolean hasToken = cell.place().protocol().isFenced();
        long counts = hasToken ? fenced : open;
        return new Cell(open + (hasToken ? " / " + fenced : ""), counts > 0 ? Paint.BAD : Paint.PLAIN);
    }

    private static Cell plain(String text) {
        return new Cell(text, Paint.PLAIN);
    }

    private static String seconds(double value) {
        if (Double.isNaN(value)) {
            return "";
        }
        return Double.isInfinite(value) ? "never" : number("%.2f", value);
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
