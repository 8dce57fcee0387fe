package dev.incumbent.fence.dynamodb;

import dev.incumbent.fence.SinkException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a URL says: {@code dynamodb://TABLE?region=R&endpoint=URL&profile=P}, all of whose parameters may be left out.
 *
 * @param region none means {@code $AWS_REGION}, or the profile's
 * @param endpoint none means the region's own
 * @param profile none means {@code $AWS_PROFILE}, or the default
 */
record Address(String table, Optional<String> region, Optional<URI> endpoint, Optional<String> profile) {
    static final String SCHEME = "dynamodb";
    private static final Pattern TABLE = Pattern.compile("[A-Za-z0-9_.-]{3,255}");
    private static final Pattern REGION = Pattern.compile("[a-z0-9-]{1,63}");

    static Address of(String at) {
        URI uri = parsed(at, at);
        String table = Optional.ofNullable(uri.getRawAuthority()).orElse("");
        String path = Optional.ofNullable(uri.getPath()).orElse("");
        if (uri.isOpaque() || !TABLE.matcher(table).matches() || !(path.isEmpty() || path.equals("/"))) {
            throw refused(at, "'" + table.replaceFirst(".*@", "") + path + "' is no table's name");
        }
        Address address = new Address(table, Optional.empty(), Optional.empty(), Optional.empty());
        for (String parameter : Optional.ofNullable(uri.getQuery()).orElse("").split("&", -1)) {
            address = parameter.isEmpty() ? address : address.with(at, parameter);
        }
        return address;
    }

    private Address with(String at, String parameter) {
        int equals = parameter.indexOf('=');
        String name = equals < 0 ? parameter : parameter.substring(0, equals);
        String value = equals < 0 ? "" : parameter.substring(equals + 1);
        return switch (name) {
            case "region" -> {
                if (!REGION.matcher(value).matches()) {
                    throw refused(at, "'" + value + "' is no region");
                }
                yield new Address(table, Optional.of(value), endpoint, profile);
            }
            case "endpoint" -> new Address(table, region, Optional.of(endpoint(at, value)), profile);
            case "profile" -> new Address(table, region, endpoint, Optional.of(value));
            default -> throw refused(at, "it has the parameter '" + name + "'; known are region, endpoint and profile");
        };
    }

    private static URI endpoint(String at, String value) {
        URI endpoint = parsed(at, value);
        boolean isHttp = "http".equals(endpoint.getScheme()) || "https".equals(endpoint.getScheme());
        if (!isHttp || endpoint.getHost() == null || endpoint.getUserInfo() != null) {
            throw refused(at, "its endpoint is no URL such as http://127.0.0.1:8000");
        }
        return endpoint;
    }

    private static URI parsed(String at, String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw refused(at, "it is malformed: " + e.getReason() + " at index " + e.getIndex());
        }
    }

    private static SinkException refused(String at, String why) {
        return new SinkException("the sink " + shown(at) + " is not understood: " + why + "; write " + SCHEME
                + "://TABLE?region=REGION");
    }

    /** Without what may be a secret: a user before the host, and the values of parameters. */
    private static String shown(String at) {
        return at.replaceFirst("(?s)\\?.*", "?...").replaceFirst("(?s)//.*@", "//");
    }
}
