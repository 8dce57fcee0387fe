package dev.incumbent.cli.reading;

import dev.incumbent.cli.frame.Ages;
import dev.incumbent.cli.frame.Columns;
import dev.incumbent.cli.frame.Columns.Cell;
import dev.incumbent.cli.frame.Paint;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.model.Cordon;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.telling.HolderView;
import dev.incumbent.telling.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Elections as {@code status} lists them for people: a line each, names where those tell candidates apart, and who stands next. It keeps their lines, not their records. */
final class StandingTable {
    private static final int NAMED = 3;
    /** The columns that are there only where an election has something to tell in them. */
    private static final List<String> RARE = List.of("FROZEN", "CORDONED", "OWED");

    private final Surroundings around;
    private final List<Row> rows = new ArrayList<>();

    StandingTable(Surroundings around) {
        this.around = around;
    }

    /** One election; the last cells are empty of most. */
    private record Row(List<Cell> cells, List<Cell> rare) {}

    void add(Standing standing) {
        LeaderRecord record = standing.record();
        Cell frozen = record.freeze()
                .map(freeze -> new Cell("by " + freeze.by() + ": " + freeze.why(), Paint.DOUBTFUL))
                .orElseGet(() -> plain(""));
        Cell cordoned =
                new Cell(some(record.cordons().all().stream().map(Cordon::whom).toList()), Paint.DOUBTFUL);
        Cell owed = new Cell(
                some(HolderView.owed(standing.observed()).stream()
                        .map(StonithText::brief)
                        .toList()),
                Paint.DOUBTFUL);
        rows.add(new Row(cells(standing), List.of(frozen, cordoned, owed)));
    }

    void print() {
        List<Integer> told = IntStream.range(0, RARE.size())
                .filter(i ->
                        rows.stream().anyMatch(row -> !row.rare.get(i).text().isEmpty()))
                .boxed()
                .toList();
        List<String> heading = new ArrayList<>(List.of("ELECTION", "TOKEN", "LEADER", "SINCE", "LEASE", "NEXT"));
        told.forEach(i -> heading.add(RARE.get(i)));
        Columns columns = new Columns(heading.toArray(String[]::new));
        for (Row row : rows) {
            List<Cell> cells = new ArrayList<>(row.cells);
            told.forEach(i -> cells.add(row.rare.get(i)));
            columns.add(cells);
        }
        columns.print(around);
    }

    private List<Cell> cells(Standing standing) {
        LeaderRecord record = standing.record();
        List<Cell> row = new ArrayList<>();
        row.add(plain(standing.election().value()));
        row.add(plain(record.term() == 0 ? "" : Long.toString(record.term())));
        row.add(standing.obstacle()
                .map(why -> new Cell(why, Paint.BAD))
                .orElseGet(() -> plain(record.leader().map(standing::shown).orElse(""))));
        row.add(plain(record.term() == 0 ? "" : Ages.at(record.since(), around.now())));
        row.add(lease(standing));
        row.add(plain(next(standing)));
        return row;
    }

    private static Cell plain(String text) {
        return new Cell(text, Paint.PLAIN);
    }

    /** Of the lease of whoever the record names. */
    static Cell lease(Standing standing) {
        if (standing.record().leader().isEmpty()) {
            return plain("");
        }
        if (!standing.observed().leaseAlive()) {
            return new Cell("dead", Paint.BAD);
        }
        boolean inJeopardy = standing.jeopardy().orElse(false);
        return inJeopardy ? new Cell("jeopardy", Paint.DOUBTFUL) : new Cell("alive", Paint.GOOD);
    }

    private static String next(Standing standing) {
        return some(standing.next().stream()
                .map(enlisted -> standing.shown(enlisted.candidate()))
                .toList());
    }

    private static String some(List<String> names) {
        String some = names.stream().limit(NAMED).collect(Collectors.joining(" "));
        return names.size() <= NAMED ? some : some + " +" + (names.size() - NAMED);
    }
}
