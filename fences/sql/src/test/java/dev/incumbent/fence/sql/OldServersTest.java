package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers that are too old are refused by what they say of themselves. No such server is installed here. */
class OldServersTest {
    @ParameterizedTest
    @CsvSource({
        "MariaDB, 10.5.29-MariaDB, false",
        "MariaDB, 5.5.68-MariaDB, false",
        "MariaDB, 10.6.0-MariaDB, true",
        "MariaDB, 11.8.1-MariaDB, true",
        "MySQL, 8.3.0, false",
        "MySQL, 5.7.44, false",
        "MySQL, 8.4.0, true",
        "MySQL, 9.7.0, true"
    })
    void mariaDbNeedsTenSixAndMySqlEightFour(String product, String version, boolean isTaken) throws SQLException {
        Connection connection = saying(product, version, 0);
        if (isTaken) {
            MariaDbDialect.requireKnown(connection);
        } else {
            assertThatThrownBy(() -> MariaDbDialect.requireKnown(connection))
                    .hasMessage(product + " " + version
                            + " is not supported: the fence needs MariaDB 10.6 or MySQL 8.4, or later");
        }
    }

    @Test
    void postgresNeedsThirteen() throws SQLException {
        PostgresDialect.requireKnown(saying("PostgreSQL", "13.0", 13));

        assertThatThrownBy(() -> PostgresDialect.requireKnown(saying("PostgreSQL", "12.22", 12)))
                .hasMessage("PostgreSQL 12 is too old, 13 is the oldest it runs on");
    }

    private static Connection saying(String product, String version, int major) {
        DatabaseMetaData told =
                Calls.proxy(DatabaseMetaData.class, (proxy, method, arguments) -> switch (method.getName()) {
                    case "getDatabaseProductName" -> product;
                    case "getDatabaseProductVersion" -> version;
                    default -> major;
                });
        return Calls.proxy(Connection.class, (proxy, method, arguments) -> told);
    }
}
