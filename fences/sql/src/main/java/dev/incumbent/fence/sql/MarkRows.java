package dev.incumbent.fence.sql;

import dev.incumbent.fence.MarksRead;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The table of marks, as every database of ours has it, read by one query.
 *
 * @param equality the operator by which names are compared
 * @param standby what shows with the marks that they may be old
 */
record MarkRows(String table, String equality, StandbySign standby) {
    /** So many are named in the query; of more, all are read. */
    private static final int MOST_NAMED = 500;

    MarksRead of(Connection connection, Set<ElectionName> elections) throws SQLException {
        if (elections.isEmpty()) {
            return new MarksRead.Gathered().told();
        }
        if (elections.size() > MOST_NAMED) {
            return all(connection).only(elections);
        }
        String named = String.join(" OR ", Collections.nCopies(elections.size(), "election " + equality + " ?"));
        return read(connection, named, List.copyOf(elections));
    }

    MarksRead all(Connection connection) throws SQLException {
        return read(connection, "TRUE", List.of());
    }

    /** There is a row without a mark where there is no mark, so that a standby that has none is refused, too. */
    private MarksRead read(Connection connection, String which, List<ElectionName> named) throws SQLException {
        MarksRead.Gathered marks = new MarksRead.Gathered();
        try (PreparedStatement query =
                connection.prepareStatement("SELECT s.standby, f.election, f.token, f.owner FROM (SELECT "
                        + standby.sql() + " AS standby) s LEFT JOIN " + table + " f ON " + which)) {
            for (int i = 0; i < named.size(); i++) {
                query.setString(i + 1, named.get(i).value());
            }
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    standby.refuse(row.getString(1));
                    String election = row.getString(2);
                    String token = String.valueOf(row.getString(3));
                    String owner = String.valueOf(row.getString(4));
                    if (election != null) {
                        marks.add(election, () -> Optional.of(mark(token, owner)));
                    }
                }
            }
        }
        return marks.told();
    }

    private static Mark mark(String token, String owner) {
        try {
            return new Mark(new FencingToken(Long.parseLong(token)), MarkOwner.parse(owner));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("its row holds no mark: '" + token + "' of '" + owner + "'", e);
        }
    }
}
