package dev.incumbent.sql;

import dev.incumbent.wire.StoreUri;
import dev.incumbent.wire.UriException;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the URI of a SQL database says: {@code [jdbc:]postgresql://[USER[:PASSWORD]@]HOST[:PORT][,…]/DATABASE[?NAME=VALUE&…]}, likewise with {@code mariadb},
 * and {@code jdbc:h2:PATH[;NAME=VALUE…]}. Parameters are the driver's own. Prints without user, password and parameters.
 *
 * @param url for the driver: without credentials, and a server's without parameters, so that no message or log line of the driver shows them
 * @param properties what is to be given to the driver besides, credentials among them
 */
public record SqlUri(Kind kind, String url, Properties properties, String label) {
    private static final Pattern SERVER =
            Pattern.compile("(?:jdbc:)?((postgresql|postgres|mariadb|mysql)://.*)", Pattern.DOTALL);
    private static final Pattern H2 = Pattern.compile("jdbc:h2:([^;]+)(?:;(.*))?", Pattern.DOTALL);

    private static final Pattern HOSTS = Pattern.compile("jdbc:[a-z]+://([^/]+)/.*", Pattern.DOTALL);

    /** How the states of SQL begin that tell of connections. */
    private static final String NO_CONNECTION = "08";

    private static final Pattern SEVERAL_HOSTS = Pattern.compile("jdbc:[a-z]+://[^/]*,.*", Pattern.DOTALL);

    /** Which database. */
    public enum Kind {
        POSTGRES("postgresql", 5432, "PGUSER", "PGPASSWORD"),
        MARIADB("mariadb", 3306, "MYSQL_USER", "MYSQL_PWD"),
        H2("h2", 0, "", "");

        private final String driver;
        /** Where the URI names none. */
        private final int port;

        private final String userVariable;
        private final String passwordVariable;

        Kind(String driver, int port, String userVariable, String passwordVariable) {
            this.driver = driver;
            this.port = port;
            this.userVariable = userVariable;
            this.passwordVariable = passwordVariable;
        }
    }

    /**
     * What a URI names; nothing where it is no such database's. Users and passwords that it leaves out are taken from the environment.
     *
     * @throws UriException if it cannot be read; it repeats no secret
     */
    public static Optional<SqlUri> parse(String text, Function<String, Optional<String>> environment) {
        Matcher server = SERVER.matcher(text);
        if (server.matches()) {
            Kind kind = server.group(2).startsWith("postgres") ? Kind.POSTGRES : Kind.MARIADB;
            return Optional.of(server(kind, StoreUri.parse(server.group(1)), environment));
        }
        Matcher h2 = H2.matcher(text);
        return h2.matches() ? Optional.of(h2(h2)) : Optional.empty();
    }

    private static SqlUri server(Kind kind, StoreUri uri, Function<String, Optional<String>> environment) {
        boolean namesNoDatabase = uri.path().length() < 2;
        if (uri.authority().isEmpty() || (namesNoDatabase && kind == Kind.MARIADB)) {
            throw uri.refused("it names no " + (uri.authority().isEmpty() ? "host" : "database") + "; write "
                    + uri.scheme() + "://USER@HOST:PORT/DATABASE");
        }
        Properties properties = new Properties();
        said("user", uri.user(), environment.apply(kind.userVariable), properties);
        said("password", uri.password(), environment.apply(kind.passwordVariable), properties);
        properties.putAll(uri.parameters().takeAll());
        String place = uri.place() + (uri.path().isEmpty() ? "/" : "");
        return new SqlUri(kind, "jdbc:" + kind.driver + "://" + place, properties, uri.scheme() + "://" + place);
    }

    private static void said(
            String name, Optional<String> here, Optional<String> inEnvironment, Properties properties) {
        here.or(() -> inEnvironment.filter(value -> !value.isEmpty()))
                .ifPresent(value -> properties.setProperty(name, value));
    }

    /** The settings behind its path are the driver's, credentials taken out. */
    private static SqlUri h2(Matcher uri) {
        String label = "jdbc:h2:" + uri.group(1);
        Properties properties = new Properties();
        StringBuilder url = new StringBuilder(label);
        for (String setting :
                uri.group(2) == null ? new String[0] : uri.group(2).split(";", -1)) {
            int equals = setting.indexOf('=');
            String name = equals < 0 ? "" : setting.substring(0, equals).toLowerCase(Locale.ROOT);
            if (name.equals("user") || name.equals("password")) {
                properties.setProperty(name, setting.substring(equals + 1));
            } else if (!setting.isEmpty()) {
                url.append(';').append(setting);
            }
        }
        return new SqlUri(Kind.H2, url.toString(), properties, label);
    }

    /** The same, where a driver that knows several hosts is to go on to one that takes writes. */
    public Properties withPrimary(String... namesAndValues) {
        Properties all = with(namesAndValues);
        if (kind == Kind.POSTGRES && SEVERAL_HOSTS.matcher(url).matches()) {
            all.putIfAbsent("targetServerType", "primary");
        }
        return all;
    }

    /** What is given to the driver, with some more settings; what the URI says itself stays. */
    public Properties with(String... namesAndValues) {
        Properties all = new Properties();
        all.putAll(properties);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            all.putIfAbsent(namesAndValues[i], namesAndValues[i + 1]);
        }
        return all;
    }

    /**
     * A new connection by that driver, which tries each address of a host's name, the one that answered last first, unless those settings name a {@code socketFactory} of
     * their own, or the driver was loaded where it does not find ours. An address that takes connections and does not answer is left for the next connection. Blocks.
     */
    public Connection connect(Driver driver, Properties settings) throws SQLException {
        Properties all = new Properties();
        all.putAll(settings);
        if (kind != Kind.H2 && EveryAddressSocketFactory.isVisibleTo(driver.getClass())) {
            all.putIfAbsent("socketFactory", EveryAddressSocketFactory.class.getName());
        }
        try {
            return driver.connect(url, all);
        } catch (SQLException e) {
            if (String.valueOf(e.getSQLState()).startsWith(NO_CONNECTION)) {
                leave();
            }
            throw e;
        }
    }

    /** Who was connected is of no use, as a standby is: the next connection tries the other addresses of the host's name first. */
    public void leave() {
        Matcher server = HOSTS.matcher(url);
        if (kind == Kind.H2 || !server.matches()) {
            return;
        }
        try {
            StoreUri.parse("sql://" + server.group(1))
                    .hosts(kind.port)
                    .forEach(host -> SharedHostAddresses.of(host).leave());
        } catch (UriException otherForm) {
            // MariaDB's driver also takes address=(host=H)(port=P). No other address is tried first then.
        }
    }

    @Override
    public String toString() {
        return label;
    }
}
