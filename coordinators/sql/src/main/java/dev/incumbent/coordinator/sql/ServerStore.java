package dev.incumbent.coordinator.sql;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.jdbc.Sql;
import java.net.UnknownHostException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A database server: opens sessions, sees to the tables, and says what errors mean. Thread-safe. */
final class ServerStore {
    private final ServerSource source;
    private final Dialect dialect;
    private final Mode mode;
    private final Duration requestTimeout;
    private final AtomicLong generation = new AtomicLong();
    private final UnconfirmedWrites unconfirmed;
    private volatile boolean ready;

    ServerStore(ServerSource source, Mode mode, Duration requestTimeout) {
        this.source = source;
        this.dialect = source.dialect();
        this.mode = mode;
        this.requestTimeout = requestTimeout;
        this.unconfirmed = new UnconfirmedWrites(source);
    }

    Dialect dialect() {
        return dialect;
    }

    Duration requestTimeout() {
        return requestTimeout;
    }

    /** What it is called in a sentence. */
    String label() {
        return source.label();
    }

    /** Grows whenever a connection breaks, or its server takes no writes any more: those opened before are likely to be broken too, or to lead to what is a standby now. */
    long generation() {
        return generation.get();
    }

    void connectionBroke() {
        generation.incrementAndGet();
    }

    void serverTakesNoWrites() {
        source.leave();
        generation.incrementAndGet();
    }

    /** Opens a session; the first one sees to the tables. */
    ServerSession connect() {
        long born = generation.get();
        try {
            return settled(source.connect(requestTimeout), born);
        } catch (SQLException e) {
            throw unconnected(e);
        }
    }

    private ServerSession settled(Connection connection, long born) throws SQLException {
        ServerSource.Ending ending = connection::close;
        try {
            ending = source.ending(connection);
            connection.setAutoCommit(true);
            boolean pooled = dialect.isPooled(connection);
            Sql sql = new Sql(connection, dialect.warnings());
            ServerSession session = new ServerSession(connection, ending, sql, dialect, pooled, born);
            session.bound(requestTimeout);
            dialect.settle(connection, Dialect.Bounds.within(requestTimeout));
            refuseUnfit(session);
            seeToTables(session);
            return session;
        } catch (CoordinatorUnusableException e) {
            ending.end();
            throw new CoordinatorUnusableException("the coordinator " + label() + " " + e.getMessage(), e);
        } catch (SQLException | RuntimeException e) {
            ending.abandon();
            throw e;
        }
    }

    /** Refuses a standby; and, where this process may write, a server that has not done earlier writes of ours. */
    private void refuseUnfit(ServerSession session) throws SQLException {
        String unfinished = mayWrite() ? dialect.unfinishedSign(Dialect.Bounds.within(requestTimeout)) : "null";
        session.sql()
                .query(
                        "select " + dialect.standbySign() + ", " + unfinished,
                        row -> requirePrimary(row.getString(1)) && requireFinished(row.getString(2)));
    }

    /** A session that its process has given up stays on the server until its commit is done: one more for each try would take all the server's places. */
    private boolean requireFinished(@Nullable String sign) {
        if (sign != null) {
            throw new CoordinatorException(
                    "the coordinator " + label() + " has not done earlier writes of ours (" + sign
                            + "), and is sent no other",
                    false);
        }
        return true;
    }

    /** What was read came with that {@link Dialect#standbySign}; of a standby it may be old, and each session is opened anew. */
    void refuseStandby(@Nullable String sign) {
        if (sign != null) {
            generation.incrementAndGet();
        }
        requirePrimary(sign);
    }

    /** Its reads may be old, and it may take writes later. */
    private boolean requirePrimary(@Nullable String sign) {
        if (sign != null) {
            source.leave();
            throw new CoordinatorException(
                    "the coordinator " + label() + " takes no writes now (" + sign
                            + "), so its reads may be old; name the server that takes writes",
                    false);
        }
        return true;
    }

    /** A write of this process may stand on the server alone. */
    void doubted() {
        unconfirmed.add();
    }

    /** Lets what is read next show nothing that a synchronous standby may not have. */
    void confirm(ServerSession session) throws SQLException {
        unconfirmed.confirm(session);
    }

    private void seeToTables(ServerSession session) throws SQLException {
        if (!ready) {
            ready = ServerSchema.isThere(session);
            if (!ready && mode == Mode.CREATE) {
                ServerSchema.create(session, source.user());
                ready = true;
            }
        }
    }

    boolean mayWrite() {
        return mode == Mode.CREATE;
    }

    /** Are the tables there? If not, a store that is only read reads as empty. */
    boolean isReady(ServerSession session) throws SQLException {
        if (!ready) {
            ready = ServerSchema.isThere(session);
        }
        return ready;
    }

    private CoordinatorException unconnected(SQLException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnknownHostException) {
                return new CoordinatorException(
                        "the coordinator " + label() + " cannot be reached: no such host " + cause.getMessage(),
                        false,
                        e);
            }
            if (cause instanceof CertificateException || cause instanceof CertPathBuilderException) {
                return new CoordinatorUnusableException(
                        "the coordinator " + label() + " shows a certificate that is not trusted: "
                                + cause.getMessage(),
                        e);
            }
            if (cause instanceof SQLException refusal
                    && !dialect.meaning(refusal).endsSession()) {
                return failure(refusal, false);
            }
        }
        return new CoordinatorException("the coordinator " + label() + " cannot be reached: " + said(e), false, e);
    }

    /**
     * An error as a caller is told it.
     *
     * @param sent had a statement that writes been sent
     */
    CoordinatorException failure(SQLException e, boolean sent) {
        String what = "the coordinator " + label();
        String user = source.user().isEmpty() ? "the user" : "user " + source.user();
        return switch (dialect.meaning(e)) {
            case CREDENTIALS ->
                new CoordinatorUnusableException(
                        what + " refuses " + user + ": wrong password, or no access (" + said(e) + ")", e);
            case UNAVAILABLE ->
                new CoordinatorUnusableException(what + " does not offer what is asked of it: " + said(e), e);
            case UNENCRYPTED ->
                new CoordinatorUnusableException(
                        what + " is told no password of " + user + " without TLS (" + said(e)
                                + "); add sslMode=verify-full to its URI or, for a MySQL where nobody can stand in between, allowPublicKeyRetrieval=true",
                        e);
            case NO_DATABASE -> new CoordinatorUnusableException(what + " has no such database (" + said(e) + ")", e);
            case RIGHTS -> new CoordinatorUnusableException(what + " lacks a right of " + user + ": " + said(e), e);
            case NO_TABLE -> noTable(what, e);
            case READ_ONLY -> new CoordinatorException(what + " takes no writes now (" + said(e) + ")", false, e);
            case SETTING ->
                new CoordinatorUnusableException(what + " refuses our writes by its settings: " + said(e), e);
            case ALONE ->
                new CoordinatorException(
                        what + " has done it, and its synchronous standby may not have it (" + said(e) + ")", sent, e);
            case FULL -> new CoordinatorException("the disk of " + what + " is full (" + said(e) + ")", false, e);
            case CROWDED ->
                new CoordinatorException(what + " takes no more connections now (" + said(e) + ")", false, e);
            case NOT_APPLIED, ENDED -> new CoordinatorException(what + ": " + said(e), false, e);
            case UNKNOWN -> new CoordinatorException(what + ": " + said(e), sent, e);
        };
    }

    /** Tables that were there once may come back, out of a backup. */
    private CoordinatorException noTable(String what, SQLException e) {
        String why = what + " lacks a table of ours (" + said(e) + "); incumbent install --at makes them";
        return ready ? new CoordinatorException(why, false, e) : new CoordinatorUnusableException(why, e);
    }

    /** The first line of what the driver said, on which no driver puts a password. */
    private static String said(SQLException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason given");
    }
}
