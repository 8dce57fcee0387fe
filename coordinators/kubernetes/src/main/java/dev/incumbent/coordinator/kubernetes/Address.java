package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a URI says: {@code kubernetes:///NAMESPACE?context=C&kubeconfig=PATH}, each part of which may be left out.
 *
 * @param namespace none means the one of the kubeconfig's context, or of this pod
 * @param context none means the kubeconfig's current one
 * @param kubeconfig none means {@code $KUBECONFIG}, else {@code ~/.kube/config}, else this pod's service account
 */
record Address(Optional<String> namespace, Optional<String> context, Optional<String> kubeconfig) {
    static final String SCHEME = "kubernetes";
    private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    static Address of(String at) {
        URI uri = parsed(at);
        String path = Optional.ofNullable(uri.getPath()).orElse("");
        Optional<String> namespace = Optional.of(path.replaceFirst("^/", "")).filter(name -> !name.isEmpty());
        if (uri.isOpaque() || uri.getRawAuthority() != null) {
            throw refused(at, "it names no host: the kubeconfig, or the pod, says where the API server is");
        }
        if (namespace.isPresent() && !NAMESPACE.matcher(namespace.get()).matches()) {
            throw refused(at, "'" + namespace.get() + "' is no namespace");
        }
        return withParameters(at, new Address(namespace, Optional.empty(), Optional.empty()), uri);
    }

    private static Address withParameters(String at, Address bare, URI uri) {
        Address address = bare;
        for (String parameter : Optional.ofNullable(uri.getQuery()).orElse("").split("&", -1)) {
            int equals = parameter.indexOf('=');
            String name = equals < 0 ? parameter : parameter.substring(0, equals);
            Optional<String> value = Optional.of(parameter.substring(name.length()))
                    .filter(it -> it.length() > 1)
                    .map(it -> it.substring(1));
            switch (name) {
                case "" -> {}
                case "context" -> address = new Address(address.namespace(), value, address.kubeconfig());
                case "kubeconfig" -> address = new Address(address.namespace(), address.context(), value);
                default -> throw refused(at, "it has the parameter '" + name + "'; known are context and kubeconfig");
            }
        }
        return address;
    }

    private static URI parsed(String at) {
        try {
            return new URI(at);
        } catch (URISyntaxException e) {
            throw refused(at, "it is malformed: " + e.getReason() + " at index " + e.getIndex());
        }
    }

    private static CoordinatorUnusableException refused(String at, String why) {
        return new CoordinatorUnusableException(
                "the coordinator " + shown(at) + " is not understood: " + why + "; write " + SCHEME + ":///NAMESPACE");
    }

    /** Without what may be a secret: a user before the host, and the values of parameters. */
    private static String shown(String at) {
        return at.replaceFirst("(?s)\\?.*", "?...").replaceFirst("(?s)//.*@", "//");
    }
}
