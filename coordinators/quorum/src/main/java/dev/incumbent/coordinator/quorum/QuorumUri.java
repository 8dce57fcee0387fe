package dev.incumbent.coordinator.quorum;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.wire.Secret;
import dev.incumbent.wire.StoreUri;
import dev.incumbent.wire.Tls;
import dev.incumbent.wire.TokenFile;
import dev.incumbent.wire.UriException;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What a URI says: {@code quorum://h1:7400,h2:7400,h3:7400?token-file=PATH&tls-ca=PATH}. A node without a port listens on 7400. The token may also
 * come from the variable {@code INCUMBENT_QUORUM_TOKEN}.
 *
 * @param label the URI without its parameters
 */
record QuorumUri(String label, List<Nodes.Node> nodes, Access access) {
    private static final String TOKEN_VARIABLE = "INCUMBENT_QUORUM_TOKEN";
    private static final int PORT = 7400;

    static QuorumUri of(String uri, Function<String, Optional<String>> variables) {
        try {
            return of(StoreUri.parse(uri), variables);
        } catch (UriException e) {
            throw new CoordinatorUnusableException(
                    "the coordinator " + e.getMessage() + "; write quorum://HOST:PORT,HOST:PORT,HOST:PORT");
        }
    }

    private static QuorumUri of(StoreUri uri, Function<String, Optional<String>> variables) {
        if (!uri.path().isEmpty() && !uri.path().equals("/")) {
            throw uri.refused("a quorum has no path");
        }
        if (uri.user().isPresent() || uri.password().isPresent()) {
            throw uri.refused(
                    "a quorum knows no users; give its token by " + TOKEN_VARIABLE + " or by ?token-file=PATH");
        }
        String label = uri.toString();
        Optional<String> file = uri.parameters().take("token-file");
        Optional<String> authority = uri.parameters().take("tls-ca");
        Optional<Boolean> asked = uri.parameters().takeFlag("tls");
        if (authority.isPresent() && asked.equals(Optional.of(false))) {
            throw uri.refused("it names an authority, and tls=false");
        }
        uri.parameters().refuseOthers();
        boolean tls = asked.orElse(authority.isPresent());
        Optional<Supplier<String>> fixed = variables
                .apply(TOKEN_VARIABLE)
                .map(text -> Secret.in(TOKEN_VARIABLE, text))
                .map(token -> () -> token);
        Optional<Supplier<String>> token = file.isPresent() ? Optional.of(secret(label, file.get())) : fixed;
        return new QuorumUri(
                label, nodes(uri), new Access(token, tls ? Optional.of(trusting(label, authority)) : Optional.empty()));
    }

    private static List<Nodes.Node> nodes(StoreUri uri) {
        List<Nodes.Node> nodes = new ArrayList<>();
        for (StoreUri.HostAndPort host : uri.hosts(PORT)) {
            nodes.add(new Nodes.Node(host.host(), host.port()));
        }
        return nodes;
    }

    private static Supplier<String> secret(String label, String file) {
        try {
            TokenFile tokens = TokenFile.of("the token's file " + file, Path.of(file));
            return () -> tokens.now().get(0);
        } catch (UriException e) {
            throw new CoordinatorUnusableException(label + ": " + e.getMessage(), e);
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
