package dev.incumbent.wire;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A store's URI, taken apart in the one way of this house: {@code SCHEME://[USER[:PASSWORD]@]HOST[:PORT][,HOST[:PORT]…][/PATH][?NAME=VALUE&…]}, as RFC 3986 has it, and
 * with several hosts. Every part but the hosts may bear escapes ({@code %2F}).
 *
 * <p>Prints without user, password and parameters; no failure shows them either.
 */
public final class StoreUri {
    private static final String UNESCAPED =
            "in a user, a password and a parameter, '/' is written %2F, '?' %3F, '#' %23, '@' %40 and '%' %25";

    private final String scheme;
    private final Optional<String> user;
    private final Optional<String> password;
    private final String authority;
    private final String place;
    private final String path;
    private final Parameters parameters;

    private StoreUri(String scheme, String credentials, String authority, String path, String query) {
        this.scheme = scheme;
        this.authority = authority;
        int colon = credentials.indexOf(':');
        this.user = Optional.of(decoded(colon < 0 ? credentials : credentials.substring(0, colon)))
                .filter(name -> !name.isEmpty());
        this.password = colon < 0 ? Optional.empty() : Optional.of(decoded(credentials.substring(colon + 1)));
        this.place = authority + path;
        this.path = decoded(path);
        this.parameters = Parameters.of(this.toString(), query);
    }

    /** A host, without the brackets of an IPv6 address, and its port. */
    public record HostAndPort(String host, int port) {
        @Override
        public String toString() {
            return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
        }
    }

    /** Takes a URI apart, or throws a {@link UriException}. */
    public static StoreUri parse(String text) {
        int begin = text.indexOf("://");
        if (begin < 1) {
            throw new UriException("'" + Redaction.of(text) + "' is no URI such as SCHEME://HOST:PORT/PATH");
        }
        String rest = text.substring(begin + 3);
        int question = rest.indexOf('?');
        String place = question < 0 ? rest : rest.substring(0, question);
        int slash = place.indexOf('/');
        String authority = slash < 0 ? place : place.substring(0, slash);
        String path = slash < 0 ? "" : place.substring(slash);
        String query = question < 0 ? "" : rest.substring(question + 1);
        int at = authority.lastIndexOf('@');
        if (at < text.lastIndexOf('@') - begin - 3 || text.indexOf('#') >= 0) {
            throw new UriException(Redaction.of(text) + " is not understood: " + UNESCAPED);
        }
        String credentials = at < 0 ? "" : authority.substring(0, at);
        return new StoreUri(text.substring(0, begin), credentials, authority.substring(at + 1), path, query);
    }

    public String scheme() {
        return scheme;
    }

    public Optional<String> user() {
        return user;
    }

    /** May be empty. */
    public Optional<String> password() {
        return password;
    }

    /** The hosts in their order, at least one; that port where none is said. */
    public List<HostAndPort> hosts(int usualPort) {
        List<HostAndPort> hosts = new ArrayList<>();
        for (String one : authority.split(",", -1)) {
            hosts.add(host(one, usualPort));
        }
        return hosts;
    }

    private HostAndPort host(String text, int usualPort) {
        int bracket = text.startsWith("[") ? text.indexOf(']') + 1 : 0;
        int colon = text.indexOf(':', bracket);
        String host = colon < 0 ? text : text.substring(0, colon);
        String port = colon < 0 ? Integer.toString(usualPort) : text.substring(colon + 1);
        boolean isHost = host.matches("\\[[0-9A-Fa-f:.%A-Za-z0-9]+]|[A-Za-z0-9._-]+");
        if (!isHost || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 65_535 || Integer.parseInt(port) < 1) {
            throw refused("'" + text + "' is no HOST:PORT");
        }
        return new HostAndPort(
                host.startsWith("[") ? host.substring(1, host.length() - 1) : host, Integer.parseInt(port));
    }

    /** What stands between the credentials and the path, as it is written: hosts, or another name of a place. */
    public String authority() {
        return authority;
    }

    /** Authority and path, as they are written: escapes stay. */
    public String place() {
        return place;
    }

    /** With its slash at the beginning, or empty. */
    public String path() {
        return path;
    }

    public Parameters parameters() {
        return parameters;
    }

    /** A failure that names this URI. */
    public UriException refused(String why) {
        return new UriException(this + " is not understood: " + why);
    }

    private String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new UriException(
                    scheme + "://" + authority + " is not understood: a '%' in it begins no escape; " + UNESCAPED);
        }
    }

    /** Without user, password and parameters. */
    @Override
    public String toString() {
        return scheme + "://" + authority + path;
    }
}
