package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a client of H2 gets that has nothing of ours but the statement of the documentation. */
class H2ClientTest {
    private static final String ADMIT_7 = "CALL incumbent_admit('billing', 7)";

    private final H2Database database = H2Database.create();

    @AfterEach
    void close() {
        database.close();
    }

    /** H2 turns autocommit off while it calls a procedure, so that this one cannot tell. A guard holds there, too. */
    @Test
    void inAutocommitAnAdmissionEndsWithItsStatement() throws Exception {
        Leader.raise(database, 7);
        try (Connection connection = database.connect()) {
            Installation.execute(connection, ADMIT_7);

            Leader.raise(database, 8);

            assertThatThrownBy(() -> Installation.execute(connection, ADMIT_7))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            refused -> assertThat(refused.getSQLState()).isEqualTo("IF001"));
        }
    }
}
