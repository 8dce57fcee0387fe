package dev.incumbent.coordinator.quorum;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.wire.Tls;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a URI says: {@code quorum://h1:7400,h2:7400,h3:7400?token-file=PATH&tls-ca=PATH}. A node without a port listens on 7400. The token may also
 * come from the variable {@code INCUMBENT_QUORUM_TOKEN}.
 *
 * @param label the URI without its parameters
 */
record QuorumUri(String label, List<Nodes.Node> nodes, Access access) {
    private static final String SCHEME = "quorum://";
    private static final String TOKEN_VARIABLE = "INCUMBENT_QUORUM_TOKEN";
    private static final int PORT = 7400;
    private static final Pattern NODE = Pattern.compile("(\\[[0-9a-fA-F:.]+]|[A-Za-z0-9._-]+)(?::(\\d{1,5}))?");

    static QuorumUri of(String uri, Function<String, Optional<String>> variables) {
        String rest = uri.startsWith(SCHEME) ? uri.substring(SCHEME.length()) : "";
        int question = rest.indexOf('?');
        String hosts = question < 0 ? rest : rest.substring(0, question);
        String label = SCHEME + hosts;
        Map<String, String> parameters = parameters(label, question < 0 ? "" : rest.substring(question + 1));
        Optional<String> file = Optional.ofNullable(parameters.remove("token-file"));
        Optional<String> authority = Optional.ofNullable(parameters.remove("tls-ca"));
        boolean tls = parameters.remove("tls") != null || authority.isPresent();
        if (!parameters.isEmpty()) {
            throw new CoordinatorUnusableException(label + " has the parameter '"
                    + parameters.keySet().iterator().next() + "'; known are token-file, tls and tls-ca");
        }
        Optional<String> token = file.isPresent()
                ? Optional.of(secret(label, file.get()))
                : variables.apply(TOKEN_VARIABLE).map(String::strip);
        return new QuorumUri(
                label,
                nodes(label, hosts),
                new Access(token, tls ? Optional.of(trusting(label, authority)) : Optional.empty()));
    }

    private static List<Nodes.Node> nodes(String label, String hosts) {
        List<Nodes.Node> nodes = new ArrayList<>();
        for (String host : hosts.split(",", -1)) {
            Matcher node = NODE.matcher(host);
            int port = node.matches() && node.group(2) != null ? Integer.parseInt(node.group(2)) : PORT;
            if (!node.matches() || port < 1 || port > 65_535) {
                throw new CoordinatorUnusableException("the coordinator " + label + " names no node by '" + host
                        + "'; write quorum://HOST:PORT,HOST:PORT,HOST:PORT");
            }
            nodes.add(new Nodes.Node(nodes.size(), node.group(1).replaceAll("[\\[\\]]", ""), port));
        }
        return nodes;
    }

    private static Map<String, String> parameters(String label, String query) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String one : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            int equals = one.indexOf('=');
            String name = equals < 0 ? one : one.substring(0, equals);
            String value = equals < 0 ? "" : one.substring(equals + 1);
            try {
                parameters.put(name, URLDecoder.decode(value, StandardCharsets.UTF_8));
            } catch (IllegalArgumentException e) {
                throw new CoordinatorUnusableException(label + ": the parameter '" + name + "' is not encoded", e);
            }
        }
        return parameters;
    }

    private static String secret(String label, String file) {
        try {
            return Files.readString(Path.of(file)).strip();
        } catch (IOException | InvalidPathException e) {
            throw new CoordinatorUnusableException(
                    label + ": the token's file " + file + " cannot be read: "
                            + e.getClass().getSimpleName(),
                    e);
        }
    }

    /** Trusts that authority alone, or those of this JVM. */
    private static Tls trusting(String label, Optional<String> authority) {
        try {
            return Tls.trusting(authority.map(Path::of));
        } catch (IOException | GeneralSecurityException | InvalidPathException e) {
            throw new CoordinatorUnusableException(
                    label + ": the certificates of tls-ca " + authority.orElse("") + " cannot be used: " + e, e);
        }
    }
}
