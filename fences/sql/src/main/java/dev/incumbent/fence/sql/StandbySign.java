package dev.incumbent.fence.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What shows that a server is one whose marks may be old, as a standby's are. It is asked for together with what is read: a server may become a standby while a connection stays, and a
 * pooler may lead each question to another server.
 *
 * @param sql an expression of text, null where the server takes writes
 * @param refusal what a question fails with where the server shows that text
 */
record StandbySign(String sql, Function<String, SQLException> refusal) {
    /** Of a database that has no standbys. */
    static final StandbySign NONE = new StandbySign("CAST(NULL AS CHAR(1))", SQLException::new);

    /** Asks for it alone. */
    void refuse(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet sign = statement.executeQuery("SELECT " + sql)) {
            sign.next();
            refuse(sign.getString(1));
        }
    }

    void refuse(@Nullable String sign) throws SQLException {
        if (sign != null) {
            throw refusal.apply(sign);
        }
    }
}
