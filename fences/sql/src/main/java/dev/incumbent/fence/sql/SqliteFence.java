package dev.incumbent.fence.sql;

import dev.incumbent.fence.Fence;
import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Admits transactions of one connection to SQLite. Takes the file's write lock, so that no raise comes between admission and commit. Admits nothing where the
 * connection works on files that others do not see: see {@link OpenedFiles}.
 *
 * <p>Where tables of the election are guarded, the connection also comes to bear the token: as a column of the temporary table {@code incumbent_token}, the
 * one thing of a connection that SQLite's triggers can see.
 */
final class SqliteFence implements Fence, CommitCheck {
    /**
     * Begins a transaction where none is under way. After SQLite rolled one back by itself, as by {@code INSERT OR ROLLBACK}, or after {@code COMMIT} in text, the
     * driver begins none although autocommit is off, and each statement would be a transaction of its own.
     */
    static final String IN_A_TRANSACTION = "SAVEPOINT incumbent_admission";

    private static final String ADMIT = "INSERT INTO incumbent_admit(election, token) VALUES (?, ?)";
    private static final String GUARDED = "SELECT 1 FROM incumbent_guard WHERE election = ?";

    private final Connection connection;
    private final Map<String, PreparedStatement> kept = new HashMap<>();
    private Optional<OpenedFiles> files = Optional.empty();
    private boolean usedBefore;

    SqliteFence(Connection connection) {
        this.connection = connection;
    }

    @Override
    public void admit(ElectionName election, FencingToken token)
            throws StaleTokenException, NotRaisedException, NoTransactionException, NotAdmittedException {
        try {
            if (connection.getAutoCommit()) {
                throw new NoTransactionException(
                        "IF003 no transaction: the connection is in autocommit, so the admission of " + election
                                + " would end before the write begins");
            }
            begin();
            ask(election, token);
            lookAtTheFiles();
            if (isGuarded(election)) {
                bear(election + "=" + token);
            }
            usedBefore = true;
        } catch (SQLException failure) {
            throw new NotAdmittedException(
                    "token " + token + " of " + election + " was not admitted: " + failure.getMessage(), failure);
        }
    }

    private void begin() throws SQLException {
        PreparedStatement begin = prepared(IN_A_TRANSACTION);
        try {
            begin.execute();
        } finally {
            done(begin);
        }
    }

    private void ask(ElectionName election, FencingToken token)
            throws SQLException, StaleTokenException, NotRaisedException {
        PreparedStatement admission = prepared(ADMIT);
        try {
            admission.setString(1, election.value());
            admission.setLong(2, token.value());
            admission.executeUpdate();
        } catch (SQLException failure) {
            String message = String.valueOf(failure.getMessage());
            if (message.contains("IF001")) {
                throw new StaleTokenException(election, token, inForce(election));
            }
            if (message.contains("IF002")) {
                throw new NotRaisedException(election, token, inForce(election));
            }
            throw failure;
        } finally {
            done(admission);
        }
    }

    /** Under the write lock, which a raise needs, too. */
    private void lookAtTheFiles() throws SQLException {
        if (files.isEmpty()) {
            files = OpenedFiles.of(connection);
        }
        if (files.isPresent()) {
            files.get().ensureCurrent(connection);
            files.get().noteLock();
        }
    }

    @Override
    public void beforeCommit() throws SQLException {
        if (files.isPresent()) {
            files.get().ensureLocked();
        }
    }

    @Override
    public void afterCommit() throws SQLException {
        if (files.isPresent()) {
            files.get().ensureCommitted();
        }
    }

    @Override
    public void ended() {
        files.ifPresent(OpenedFiles::forgetLock);
    }

    private String inForce(ElectionName election) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(
                "SELECT token || ' of ' || owner FROM incumbent_fence WHERE election = ?")) {
            query.setString(1, election.value());
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? row.getString(1) : "absent";
            }
        }
    }

    private boolean isGuarded(ElectionName election) throws SQLException {
        PreparedStatement query = prepared(GUARDED);
        query.setString(1, election.value());
        try (ResultSet row = query.executeQuery()) {
            return row.next();
        } finally {
            done(query);
        }
    }

    /** SQLite's driver compiles a statement each time, which costs as much as the write: who admits with one fence again and again keeps it, until the connection is closed. */
    private PreparedStatement prepared(String sql) throws SQLException {
        PreparedStatement known = kept.get(sql);
        if (known != null) {
            return known;
        }
        PreparedStatement statement = connection.prepareStatement(sql);
        if (usedBefore) {
            kept.put(sql, statement);
        }
        return statement;
    }

    private void done(PreparedStatement statement) throws SQLException {
        if (!kept.containsValue(statement)) {
            statement.close();
        }
    }

    /** A token borne before stays: the guard compares with the mark in force, so an old one admits nothing. */
    private void bear(String token) throws SQLException {
        if (borne(token)) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("CREATE TEMP TABLE IF NOT EXISTS incumbent_token(\"" + token + "\")");
            if (!borne(token)) {
                statement.executeUpdate("ALTER TABLE temp.incumbent_token ADD COLUMN \"" + token + "\"");
            }
        }
    }

    private boolean borne(String token) throws SQLException {
        return exists("SELECT 1 FROM pragma_table_info('incumbent_token', 'temp') WHERE name = ?", token);
    }

    private boolean exists(String sql, String argument) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            query.setString(1, argument);
            try (ResultSet row = query.executeQuery()) {
                return row.next();
            }
        }
    }
}
