package dev.incumbent.fence.consul;

import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * {@code consul://host:port/prefix}: an agent, and the prefix beneath which the marks lie. With the parameters and variables of the coordinator's URI: {@code token},
 * {@code token-file}, {@code tls}, {@code ca-file}. Its text never shows the token.
 */
record ConsulUrl(URI base, String prefix, Optional<String> token, Optional<Path> authority) {
    private static final String FORM = "; write consul://host:port/prefix";

    static ConsulUrl of(String url, Map<String, String> environment) {
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException e) {
            throw new SinkException("the URL of the sink in Consul cannot be read at its character "
                    + (e.getIndex() + 1) + ", " + e.getReason() + FORM);
        }
        if (!"consul".equals(uri.getScheme()) || uri.getHost() == null || uri.getUserInfo() != null) {
            throw new SinkException("a sink in Consul names its host, and no user (its token is taken from"
                    + " CONSUL_HTTP_TOKEN or ?token-file=PATH)" + FORM);
        }
        Map<String, String> query = query(uri.getQuery() == null ? "" : uri.getQuery());
        boolean tls = taken(query, "tls", environment, "CONSUL_HTTP_SSL")
                .filter("true"::equals)
                .isPresent();
        int port = uri.getPort() >= 0 ? uri.getPort() : tls ? 8501 : 8500;
        Optional<String> fromFile = taken(query, "token-file", environment, "CONSUL_HTTP_TOKEN_FILE")
                .map(ConsulUrl::contents);
        Optional<String> token =
                taken(query, "token", environment, "CONSUL_HTTP_TOKEN").or(() -> fromFile);
        Optional<Path> authority =
                taken(query, "ca-file", environment, "CONSUL_CACERT").map(Path::of);
        query.remove("session-ttl-min-ms");
        if (!query.isEmpty()) {
            throw new SinkException("a sink in Consul has no parameter " + String.join(", ", query.keySet())
                    + "; it has token, token-file, tls, ca-file");
        }
        URI base = URI.create((tls ? "https://" : "http://") + uri.getHost() + ":" + port);
        return new ConsulUrl(base, prefix(uri.getPath() == null ? "" : uri.getPath()), token, authority);
    }

    @Override
    public String toString() {
        return "consul://" + base.getAuthority() + "/" + prefix;
    }

    private static Map<String, String> query(String text) {
        Map<String, String> query = new HashMap<>();
        Arrays.stream(text.split("&", -1)).filter(pair -> !pair.isEmpty()).forEach(pair -> {
            String[] parts = pair.split("=", 2);
            query.put(parts[0], parts.length == 2 ? parts[1] : "");
        });
        return query;
    }

    private static Optional<String> taken(
            Map<String, String> query, String name, Map<String, String> environment, String variable) {
        return Optional.ofNullable(query.remove(name))
                .or(() -> Optional.ofNullable(environment.get(variable)))
                .filter(value -> !value.isEmpty());
    }

    private static String contents(String file) {
        try {
            return Files.readString(Path.of(file)).strip();
        } catch (IOException e) {
            throw new SinkException("Consul's token file " + file + " cannot be read: " + e, e);
        }
    }

    private static String prefix(String path) {
        String bare = path.replaceAll("^/|/$", "");
        try {
            return bare.isEmpty() ? "incumbent" : new ElectionName(bare).value();
        } catch (IllegalArgumentException e) {
            throw new SinkException(
                    "the prefix '" + bare + "' of keys in Consul is not of letters, digits and . _ / - alone" + FORM);
        }
    }
}
