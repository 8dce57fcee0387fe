package dev.incumbent.coordinator.sql;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.sql.SqlUri;
import dev.incumbent.wire.UriException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Function;
import java.util.regex.Pattern;

/** A database as a URI names it. Its text form is a label without password and parameters. */
record ServerAddress(SqlUri uri) implements ServerSource {
    private static final Pattern ELSEWHERE =
            Pattern.compile("jdbc:h2:(mem|tcp|ssl|zip|nio\\w*|split|async|nioMemFS|memFS|memLZF|classpath):.*");

    /** H2 remembers the setting in its file, tells it so, and writes late all the same until a URI sets it again. */
    private static final Pattern WRITTEN_AT_ONCE = Pattern.compile("(?i)[^;]*(;.*)?;WRITE_DELAY=0(;.*)?");

    /** What a URI names; nothing where it is no such database's. Users and passwords it leaves out are taken from the environment. */
    static Optional<ServerAddress> of(String at, Function<String, Optional<String>> environment) {
        try {
            return SqlUri.parse(at, environment).map(ServerAddress::reachable);
        } catch (UriException e) {
            throw new CoordinatorUnusableException("the coordinator " + e.getMessage(), e);
        }
    }

    /** H2 in this process has its file alone, and writes at once what it acknowledges. */
    private static ServerAddress reachable(SqlUri uri) {
        if (ELSEWHERE.matcher(uri.label()).matches()) {
            throw new CoordinatorUnusableException("the coordinator " + uri.label()
                    + " is no file that this process opens by itself; write jdbc:h2:file:PATH;WRITE_DELAY=0");
        }
        if (uri.kind() == SqlUri.Kind.H2 && !WRITTEN_AT_ONCE.matcher(uri.url()).matches()) {
            throw new CoordinatorUnusableException(
                    "the coordinator " + uri.label()
                            + " would forget what it acknowledged last when its process ends; write ;WRITE_DELAY=0 behind its path");
        }
        return new ServerAddress(uri);
    }

    @Override
    public Dialect dialect() {
        return switch (uri.kind()) {
            case POSTGRES -> new PostgresDialect();
            case MARIADB -> new MariaDbDialect();
            case H2 -> new H2Dialect();
        };
    }

    @Override
    public Connection connect(Duration requestTimeout) throws SQLException {
        Dialect dialect = dialect();
        Properties bounded = uri.withPrimary();
        dialect.bound(bounded, requestTimeout);
        return uri.connect(dialect.driver(), bounded);
    }

    @Override
    public void leave() {
        uri.leave();
    }

    /** This address, if its driver is there: an application brings those of the databases that it uses. */
    ServerAddress withItsDriver() {
        Dialect dialect = dialect();
        try {
            dialect.driver();
        } catch (NoClassDefFoundError absent) {
            throw new CoordinatorUnusableException(
                    "the coordinator " + this + " needs a driver that is not on the class path; add "
                            + dialect.artifact(),
                    absent);
        }
        return this;
    }

    @Override
    public Ending ending(Connection fresh) {
        return fresh::close;
    }

    /** Who logs in; the driver's own choice where nobody is named. */
    @Override
    public String user() {
        return uri.properties().getProperty("user", "");
    }

    @Override
    public String label() {
        return uri.label();
    }

    @Override
    public String toString() {
        return label();
    }
}
