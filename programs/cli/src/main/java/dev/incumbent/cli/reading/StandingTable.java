package dev.incumbent.cli.reading;

import dev.incumbent.cli.frame.Ages;
import dev.incumbent.cli.frame.Columns;
import dev.incumbent.cli.frame.Columns.Cell;
import dev.incumbent.cli.frame.Paint;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.model.Cordon;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.telling.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Elections as {@code status} lists them for people: a line each, names where those tell candidates apart, and who stands next. */
final class StandingTable {
    private static final int NAMED = 3;

    private final Surroundings around;
    private final List<Standing> standings;
    private final boolean isOneFrozen;
    private final boolean isOneCordoned;

    StandingTable(Surroundings around, List<Standing> standings) {
        this.around = around;
        this.standings = standings;
        this.isOneFrozen =
                standings.stream().anyMatch(one -> one.record().freeze().isPresent());
        this.isOneCordoned =
                standings.stream().anyMatch(one -> !one.record().cordons().isEmpty());
    }

    void print() {
        List<String> heading = new ArrayList<>(List.of("ELECTION", "TOKEN", "LEADER", "SINCE", "LEASE", "NEXT"));
        if (isOneFrozen) {
            heading.add("FROZEN");
        }
        if (isOneCordoned) {
            heading.add("CORDONED");
        }
        Columns columns = new Columns(heading.toArray(String[]::new));
        standings.forEach(standing -> columns.add(row(standing)));
        columns.print(around);
    }

    private List<Cell> row(Standing standing) {
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
        if (isOneFrozen) {
            row.add(record.freeze()
                    .map(freeze -> new Cell("by " + freeze.by() + ": " + freeze.why(), Paint.DOUBTFUL))
                    .orElseGet(() -> plain("")));
        }
        if (isOneCordoned) {
            row.add(new Cell(
                    some(record.cordons().all().stream().map(Cordon::whom).toList()), Paint.DOUBTFUL));
        }
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
