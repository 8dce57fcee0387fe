package dev.incumbent.wire;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The parameters of a URI. Whoever reads them names each that it knows, and then refuses what is left: what is misspelt never looks as if it took effect. Not
 * thread-safe.
 */
public final class Parameters {
    private final String of;
    private final Map<String, String> values = new TreeMap<>();
    private final Set<String> known = new LinkedHashSet<>();

    private Parameters(String of) {
        this.of = of;
    }

    /** Those of a query, {@code NAME=VALUE&…}; {@code of} is what they belong to, for people. */
    static Parameters of(String of, String query) {
        Parameters parameters = new Parameters(of);
        for (String pair : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            parameters.add(pair);
        }
        return parameters;
    }

    private void add(String pair) {
        int equals = pair.indexOf('=');
        if (equals < 1) {
            throw refused("after the '?' stand parameters, NAME=VALUE&NAME=VALUE");
        }
        String name = pair.substring(0, equals);
        if (values.put(name, decoded(name, pair.substring(equals + 1))) != null) {
            throw refused("the parameter " + shown(name) + " stands in it twice");
        }
    }

    private String decoded(String name, String value) {
        try {
            return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw refused("the parameter " + shown(name) + " has a '%' that begins no escape; write %25");
        }
    }

    /** The value of a parameter; empty where it is not there. One that is there has a value. */
    public Optional<String> take(String name) {
        known.add(name);
        Optional<String> value = Optional.ofNullable(values.get(name));
        if (value.filter(String::isEmpty).isPresent()) {
            throw refused("the parameter " + name + " has no value");
        }
        return value;
    }

    /** The value of a parameter that is {@code true} or {@code false}, and nothing else. */
    public Optional<Boolean> takeFlag(String name) {
        return take(name).map(value -> flag("the parameter " + name, value));
    }

    /** The value of something that is {@code true} or {@code false}; {@code what} it is, for people. */
    public boolean flag(String what, String value) {
        if (!value.equals("true") && !value.equals("false")) {
            throw refused(what + " is true or false, and not '" + value + "'");
        }
        return value.equals("true");
    }

    /** All of them, where it is another who knows them, such as a driver. */
    public Map<String, String> takeAll() {
        known.addAll(values.keySet());
        return new TreeMap<>(values);
    }

    /** To be called when all that are known have been taken. */
    public void refuseOthers() {
        for (String name : values.keySet()) {
            if (!known.contains(name)) {
                throw refused("the parameter " + shown(name) + " is unknown; "
                        + (known.isEmpty() ? "there are none" : "known are " + String.join(", ", known)));
            }
        }
    }

    private static String shown(String name) {
        return name.matches("[A-Za-z0-9_.-]{1,40}") ? "'" + name + "'" : "that is no name";
    }

    private UriException refused(String why) {
        return new UriException(of + " is not understood: " + why);
    }
}
