package dev.incumbent.fence.sql;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The URL of a database server: as its driver takes it, or without {@code jdbc:} and with {@code user:password@}. Where it names neither user nor password
 * they come from two variables of the environment, and else from the driver.
 */
record ServerUrl(String driver, Properties credentials, String label) {
    private static final Pattern FORM = Pattern.compile("(?:jdbc:)?([a-z][a-z0-9]*:)(//)?(?:([^@/?]*)@)?([^?;]*)(.*)");

    /** {@code driverScheme} is what the driver's own URLs begin with, such as {@code jdbc:mariadb:}. */
    static ServerUrl of(String url, String driverScheme, String userVariable, String passwordVariable) {
        Matcher parts = FORM.matcher(url);
        if (!parts.matches()) {
            throw new IllegalArgumentException("a sink's URL that begins with " + driverScheme + " cannot be read");
        }
        String slashes = parts.group(2) == null ? "" : parts.group(2);
        String parameters = parts.group(5);
        Properties credentials = new Properties();
        String[] userInfo =
                parts.group(3) == null ? new String[0] : parts.group(3).split(":", 2);
        Optional<String> user = userInfo.length > 0 ? Optional.of(decoded(userInfo[0])) : variable(userVariable);
        Optional<String> password =
                userInfo.length > 1 ? Optional.of(decoded(userInfo[1])) : variable(passwordVariable);
        if (!parameters.matches("(?i).*[?&;]user=.*")) {
            user.ifPresent(value -> credentials.setProperty("user", value));
        }
        if (!parameters.matches("(?i).*[?&;]password=.*")) {
            password.ifPresent(value -> credentials.setProperty("password", value));
        }
        return new ServerUrl(
                driverScheme + slashes + parts.group(4) + parameters,
                credentials,
                parts.group(1) + slashes + parts.group(4));
    }

    /** What is given to the driver, with some more settings; what the URL says itself stays. */
    Properties with(String... namesAndValues) {
        Properties all = new Properties();
        all.putAll(credentials);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            if (!driver.contains(namesAndValues[i] + "=")) {
                all.setProperty(namesAndValues[i], namesAndValues[i + 1]);
            }
        }
        return all;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static Optional<String> variable(String name) {
        return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isEmpty());
    }

    /** Shows no credentials. */
    @Override
    public String toString() {
        return label;
    }
}
