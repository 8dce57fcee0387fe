package dev.incumbent.fence.sql;

import static dev.incumbent.fence.sql.Leader.assertStale;
import static dev.incumbent.fence.sql.Leader.ofTerm7;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Large objects: PostgreSQL's are written by calls of their own, and so is their transaction admitted. */
class LargeObjectTest {
    @Nested
    class OnPostgres {
        private final Database database = PostgresDatabase.create();

        @BeforeEach
        void store() {
            Leader.raise(database, 7);
            database.run(
                    "CREATE TABLE document(body oid)", "INSERT INTO document VALUES (lo_from_bytea(0, 'of term 7'))");
        }

        @AfterEach
        void close() {
            database.run("SELECT lo_unlink(oid) FROM pg_largeobject_metadata", "DROP TABLE document");
            database.close();
        }

        @Test
        void aStaleLeaderWritesNoLargeObjectThatItReadBefore() throws Exception {
            try (Connection connection = ofTerm7(database.connect())) {
                Blob body = blob(connection, "SELECT body FROM document");
                Blob untouched = blob(connection, "SELECT body FROM document");
                body.setBytes(1, "in time  ".getBytes(UTF_8));
                connection.commit();
                Leader.raise(database, 8);

                for (Blob stale : List.of(untouched, body)) {
                    assertStale(() -> stale.setBytes(1, "late".getBytes(UTF_8)));
                    connection.rollback();
                }
                assertStale(() -> body.truncate(0));
                connection.rollback();
                assertStale(() -> {
                    try (OutputStream stream = body.setBinaryStream(1)) {
                        stream.write('x');
                    }
                });
                connection.rollback();
            }
            assertThat(bodies()).containsExactly("in time  ");
        }

        @Test
        void aLargeObjectThatIsBoundIsWrittenInAnAdmittedTransaction() throws Exception {
            try (Connection connection = ofTerm7(database.connect());
                    PreparedStatement insert = connection.prepareStatement("INSERT INTO document VALUES (?)")) {
                insert.setBlob(1, new ByteArrayInputStream("bound".getBytes(UTF_8)));
                insert.executeUpdate();
                Blob again = blob(connection, "SELECT body FROM document ORDER BY body DESC");
                insert.setBlob(1, again);
                insert.executeUpdate();
                connection.commit();
                Leader.raise(database, 8);

                assertStale(() -> insert.setBlob(1, new ByteArrayInputStream("late".getBytes(UTF_8))));
                connection.commit();
            }
            assertThat(bodies()).containsExactlyInAnyOrder("of term 7", "bound", "bound");
        }

        private Iterable<String> bodies() {
            return database.column(
                    "SELECT convert_from(lo_get(oid), 'UTF8') FROM pg_largeobject_metadata ORDER BY oid");
        }
    }

    @Nested
    class OnMariaDb extends Sentences {
        OnMariaDb() {
            super(MariaDbDatabase.create(), "longblob", "longtext");
        }
    }

    @Nested
    class OnMySql extends Sentences {
        OnMySql() {
            super(MySqlDatabase.create(), "longblob", "longtext");
        }
    }

    @Nested
    class OnH2 extends Sentences {
        OnH2() {
            super(H2Database.create(), "blob", "clob");
        }
    }

    /** Where they are values as others are: they can be read, changed, and bound again. */
    abstract static class Sentences {
        private final Database database;

        Sentences(Database database, String bytes, String text) {
            this.database = database;
            database.run("CREATE TABLE document(body " + bytes + ", title " + text + ")");
            Leader.raise(database, 7);
        }

        @AfterEach
        void close() {
            database.run("DROP TABLE document");
            database.close();
        }

        @Test
        void theyAreReadAndBoundAgain() throws Exception {
            try (Connection connection = ofTerm7(database.connect());
                    PreparedStatement insert = connection.prepareStatement("INSERT INTO document VALUES (?, ?)")) {
                Blob body = connection.createBlob();
                body.setBytes(1, "body".getBytes(UTF_8));
                Clob title = connection.createClob();
                title.setString(1, "title");
                bind(insert, body, title);
                try (Statement statement = connection.createStatement();
                        ResultSet row = statement.executeQuery("SELECT body, title FROM document")) {
                    row.next();
                    bind(insert, row.getBlob(1), row.getClob(2));
                }
                connection.commit();
            }
            assertThat(database.column("SELECT title FROM document")).containsExactly("title", "title");
        }

        private static void bind(PreparedStatement insert, Blob body, Clob title) throws SQLException {
            insert.setBlob(1, body);
            insert.setClob(2, title);
            insert.executeUpdate();
        }
    }

    private static Blob blob(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getBlob(1);
        }
    }
}
