package dev.incumbent.coordinator.sql;

import dev.incumbent.model.ElectionName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** A server to which names are handed as an array of SQL. */
interface ArrayDialect extends Dialect {
    /** The array's elements. */
    String textType();

    @Override
    default String names() {
        return "unnest(?) j(name)";
    }

    @Override
    default Object namesArgument(Connection connection, Collection<ElectionName> elections) throws SQLException {
        return connection.createArrayOf(
                textType(), elections.stream().map(ElectionName::value).toArray());
    }

    @Override
    default String namesWithNonces() {
        return "unnest(?, ?) j(name, nonce)";
    }

    @Override
    default Object[] namesWithNoncesArguments(Connection connection, Map<ElectionName, String> nonces)
            throws SQLException {
        List<Map.Entry<ElectionName, String>> entries = List.copyOf(nonces.entrySet());
        return new Object[] {
            namesArgument(connection, entries.stream().map(Map.Entry::getKey).toList()),
            connection.createArrayOf(
                    textType(), entries.stream().map(Map.Entry::getValue).toArray())
        };
    }
}
