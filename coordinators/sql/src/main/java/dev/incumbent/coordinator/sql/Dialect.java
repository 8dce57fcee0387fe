package dev.incumbent.coordinator.sql;

import dev.incumbent.coordinator.Capabilities;
import dev.incumbent.jdbc.Sql;
import dev.incumbent.model.ElectionName;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/** What the database servers do each in its own way; the statements they share are in {@link ServerLeases} and its neighbours. Thread-safe. */
interface Dialect {
    /** What people call it. */
    String product();

    /** What a coordinator in it promises. */
    Capabilities capabilities();

    /** Its driver, of which no class is loaded before: it may be absent. */
    Driver driver();

    /** What an application adds to have that driver. */
    String artifact();

    /** What bounds the making of a connection. */
    void bound(Properties properties, Duration requestTimeout);

    /** Refuses a server that cannot serve, and bounds the waits of a new session; those of a lock end before those of a statement, and these before a call's. */
    void settle(Connection connection, Bounds bounds) throws SQLException;

    /**
     * What shows that the server takes no writes from anybody, as a standby, so that its reads may be old: an expression of text, null where it takes them. It is asked for together
     * with what is read, since a pooler or a proxy may lead each question to another server.
     */
    String standbySign();

    /**
     * What a write has in its condition, beginning with {@code and}, where the server lets some users write although there is a {@link #standbySign()}; empty where it refuses them all.
     * A session stays when its server becomes a standby, and what is written there alone nobody else knows.
     */
    default String unlessStandby() {
        return "";
    }

    /**
     * What shows that the server does not get done with our writes: an expression of text, null where it does. {@link #UNFINISHED} of them or more have been at work for longer than a
     * statement of ours may be; only their commits can take so long, and nobody waits for them any more.
     */
    default String unfinishedSign(Bounds bounds) {
        return "null";
    }

    /** Fewer may have stopped for a reason of their own. */
    int UNFINISHED = 3;

    /** Reads warnings, where one may say that a write was done on the server alone: it throws what is {@link Failure#ALONE} then. */
    default Optional<Sql.Warnings> warnings() {
        return Optional.empty();
    }

    /** A query that writes something that nobody reads, and is acknowledged once a synchronous standby has all that was written before; none where nothing is like that. */
    default Optional<String> marker() {
        return Optional.empty();
    }

    /** Statements that give a connection back the settings that {@link #settle} and {@link #listen} change, as they are now. */
    List<String> restoring(Connection connection) throws SQLException;

    /** Does a pooler lie between, which gives each transaction another session? */
    boolean isPooled(Connection connection) throws SQLException;

    /** The clock that judges leases: microseconds since 1970, as an expression that is read when its row is. */
    String now();

    /** What stands in a {@code from} for one argument, a table {@code j} of some names. */
    String names();

    /** That argument. */
    Object namesArgument(Connection connection, Collection<ElectionName> elections) throws SQLException;

    /** What stands in a {@code from} for some arguments, a table {@code j} of names, each with a nonce. */
    String namesWithNonces();

    /** Those arguments. */
    Object[] namesWithNoncesArguments(Connection connection, Map<ElectionName, String> nonces) throws SQLException;

    /** What stands after an insert that does nothing where the name is taken; empty where that ends in {@link #isDuplicate}. */
    String orNothing();

    /** A query that tells names, its one argument, to those who listen; none where nobody can listen. */
    default Optional<String> notification() {
        return Optional.empty();
    }

    /** A query that runs a write, answers a row for each row written, and is durable whatever the session's default; none where each write is. */
    default Optional<String> durably(String write) {
        return Optional.empty();
    }

    /** Calls that may be one statement; none where each goes alone. */
    default Optional<ServerJoints> joints() {
        return Optional.empty();
    }

    /** Begins to listen; false where nothing is ever heard. */
    boolean listen(ServerSession session) throws SQLException;

    /** Waits for at most so long, on the session's own thread; the names of what was swapped, as far as heard. */
    List<String> heard(ServerSession session, Duration atMost) throws SQLException;

    /** The tables, to be made in this order, each unless it is there. */
    List<String> tables();

    /** Keeps other processes from making the tables at the same time, and lets them. */
    List<String> lockOfInstalling();

    /** See {@link #lockOfInstalling()}. */
    List<String> unlockOfInstalling();

    boolean isMissingTable(SQLException e);

    boolean isDuplicate(SQLException e);

    /** Was a write refused, and nothing of it done, because others wrote the same rows after it began. Sent again, it sees what they wrote. */
    default boolean isOvertaken(SQLException e) {
        return "40001".equals(e.getSQLState());
    }

    /** What an error means: whether anything may have applied, and what to tell. */
    Failure meaning(SQLException e);

    /** How long a session waits. */
    record Bounds(Duration lock, Duration statement) {
        static Bounds within(Duration requestTimeout) {
            return new Bounds(
                    requestTimeout.dividedBy(2), requestTimeout.multipliedBy(5).dividedBy(8));
        }

        long lockMillis() {
            return Math.max(1, lock.toMillis());
        }

        long statementMillis() {
            return Math.max(2, statement.toMillis());
        }
    }

    /** Kinds of errors. */
    enum Failure {
        /** The server said that the statement did nothing, and may well do it later. */
        NOT_APPLIED,
        /** Nobody may log in so. */
        CREDENTIALS,
        /** A password would have to be told over a connection that others may read or answer. */
        UNENCRYPTED,
        /** What the URI asks for is not to be had of this server or its driver: TLS, a setting, a way to log in. */
        UNAVAILABLE,
        /** There is no such database. */
        NO_DATABASE,
        /** That user may not. */
        RIGHTS,
        /** A table is not there. */
        NO_TABLE,
        /** The server takes no writes now: a standby, or told so. */
        READ_ONLY,
        /** The server refuses it by a setting of its own, now and whenever it is tried again. */
        SETTING,
        /** Done on the server alone: its synchronous standby may not have it. */
        ALONE,
        /** No room on the server's disk. */
        FULL,
        /** The server takes no more connections now. */
        CROWDED,
        /** The server had ended the session before it read the statement. */
        ENDED,
        /** The connection broke, or nobody knows. */
        UNKNOWN;

        /** Does the session serve no further statement? */
        boolean endsSession() {
            return this == ENDED || this == UNKNOWN;
        }
    }
}
