package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.wire.StoreUri;
import dev.incumbent.wire.UriException;
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
        try {
            return of(StoreUri.parse(escaped(at)));
        } catch (UriException e) {
            throw new CoordinatorUnusableException(
                    "the coordinator " + e.getMessage() + "; write " + SCHEME + ":///NAMESPACE");
        }
    }

    /** Contexts are named USER@CLUSTER by many tools, and no credentials stand in a URI that names no host. */
    private static String escaped(String at) {
        int question = at.startsWith(SCHEME + ":///") ? at.indexOf('?') : -1;
        return question < 0
                ? at
                : at.substring(0, question) + at.substring(question).replace("@", "%40");
    }

    private static Address of(StoreUri uri) {
        boolean namesWho = uri.user().isPresent() || uri.password().isPresent();
        if (!uri.scheme().equals(SCHEME) || namesWho || !uri.authority().isEmpty()) {
            throw uri.refused("it names no host: the kubeconfig, or the pod, says where the API server is");
        }
        Optional<String> namespace =
                Optional.of(uri.path().replaceFirst("^/", "")).filter(name -> !name.isEmpty());
        if (namespace.isPresent() && !NAMESPACE.matcher(namespace.get()).matches()) {
            throw uri.refused("'" + namespace.get() + "' is no namespace");
        }
        Address address = new Address(
                namespace, uri.parameters().take("context"), uri.parameters().take("kubeconfig"));
        uri.parameters().refuseOthers();
        return address;
    }
}
