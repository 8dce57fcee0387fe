package dev.incumbent.coordinator.sql;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A database server as a URI names it. Its text form is a label without password and parameters.
 *
 * @param url for the driver, without credentials
 * @param properties credentials among them
 */
record ServerAddress(Kind kind, String url, Properties properties, String label) implements ServerSource {
    private static final Pattern SERVER = Pattern.compile(
            "(?:jdbc:)?(postgresql|postgres|mariadb|mysql)://(?:([^@/?]*)@)?([^/?]*)(?:/([^?]*))?(?:\\?(.*))?");
    private static final Pattern H2 = Pattern.compile("jdbc:h2:((?:file:)?[^;]+)(;.*)?");
    private static final Pattern ELSEWHERE =
            Pattern.compile("(mem|tcp|ssl|zip|nio\\w*|split|async|nioMemFS|memFS|memLZF|classpath):.*");

    /** Which database. */
    enum Kind {
        POSTGRES,
        MARIADB,
        H2
    }

    /** What a URI names; nothing where it is no server's. Users and passwords it leaves out are taken from the environment. */
    static Optional<ServerAddress> of(String at, UnaryOperator<@Nullable String> environment) {
        Matcher server = SERVER.matcher(at);
        if (server.matches()) {
            return Optional.of(server(server, environment));
        }
        Matcher h2 = H2.matcher(at);
        return h2.matches() ? Optional.of(h2(h2)) : Optional.empty();
    }

    private static ServerAddress server(Matcher uri, UnaryOperator<@Nullable String> environment) {
        boolean postgres = uri.group(1).startsWith("postgres");
        String hosts = uri.group(3);
        String database = uri.group(4) == null ? "" : uri.group(4);
        String scheme = postgres ? "postgresql" : "mariadb";
        String label = uri.group(1) + "://" + hosts + "/" + database;
        if (hosts.isEmpty() || (database.isEmpty() && !postgres)) {
            throw new CoordinatorUnusableException(
                    "the coordinator " + label + " names no " + (hosts.isEmpty() ? "host" : "database") + "; write "
                            + uri.group(1) + "://USER@HOST:PORT/DATABASE");
        }
        Properties properties = new Properties();
        fromEnvironment(properties, "user", environment.apply(postgres ? "PGUSER" : "MYSQL_USER"));
        fromEnvironment(properties, "password", environment.apply(postgres ? "PGPASSWORD" : "MYSQL_PWD"));
        if (uri.group(2) != null) {
            String[] user = uri.group(2).split(":", 2);
            properties.setProperty("user", decoded(user[0]));
            if (user.length == 2) {
                properties.setProperty("password", decoded(user[1]));
            }
        }
        parameters(properties, uri.group(5));
        return new ServerAddress(
                postgres ? Kind.POSTGRES : Kind.MARIADB,
                "jdbc:" + scheme + "://" + hosts + "/" + database,
                properties,
                label);
    }

    private static void fromEnvironment(Properties properties, String name, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            properties.setProperty(name, value);
        }
    }

    private static void parameters(Properties properties, @Nullable String query) {
        for (String parameter : query == null ? new String[0] : query.split("&", -1)) {
            int equals = parameter.indexOf('=');
            if (equals > 0) {
                properties.setProperty(
                        decoded(parameter.substring(0, equals)), decoded(parameter.substring(equals + 1)));
            }
        }
    }

    private static String decoded(String part) {
        try {
            return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            return part;
        }
    }

    /** H2 in this process; the settings behind its path are the driver's, credentials taken out. */
    private static ServerAddress h2(Matcher uri) {
        String path = uri.group(1);
        String label = "jdbc:h2:" + path;
        if (ELSEWHERE.matcher(path).matches()) {
            throw new CoordinatorUnusableException("the coordinator " + label
                    + " is no file that this process opens by itself; write jdbc:h2:file:PATH;WRITE_DELAY=0");
        }
        Properties properties = new Properties();
        StringBuilder url = new StringBuilder(label);
        for (String setting :
                uri.group(2) == null ? new String[0] : uri.group(2).substring(1).split(";", -1)) {
            String upper = setting.toUpperCase(java.util.Locale.ROOT);
            if (upper.startsWith("USER=")) {
                properties.setProperty("user", setting.substring(5));
            } else if (upper.startsWith("PASSWORD=")) {
                properties.setProperty("password", setting.substring(9));
            } else if (!setting.isEmpty()) {
                url.append(';').append(setting);
            }
        }
        return new ServerAddress(Kind.H2, url.toString(), properties, label);
    }

    @Override
    public Dialect dialect() {
        return switch (kind) {
            case POSTGRES -> new PostgresDialect();
            case MARIADB -> new MariaDbDialect();
            case H2 -> new H2Dialect();
        };
    }

    @Override
    public Connection connect(Duration requestTimeout) throws SQLException {
        Dialect dialect = dialect();
        Properties bounded = new Properties();
        bounded.putAll(properties);
        dialect.bound(bounded, requestTimeout);
        return dialect.driver().connect(url, bounded);
    }

    /** This address, if its driver is there: an application brings those of the databases that it uses. */
    ServerAddress withItsDriver() {
        Dialect dialect = dialect();
        try {
            dialect.driver();
        } catch (NoClassDefFoundError absent) {
            throw new CoordinatorUnusableException(
                    "the coordinator " + label + " needs a driver that is not on the class path; add "
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
        return properties.getProperty("user", "");
    }

    @Override
    public String toString() {
        return label;
    }
}
