package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.time.Timeline;
import io.fabric8.kubernetes.client.Config;
import java.io.File;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Opens coordinators in Kubernetes' Lease objects: {@code kubernetes:///NAMESPACE}, by the kubeconfig or, within a pod, by its service account.
 * {@code ?context=} and {@code ?kubeconfig=} choose others than kubectl would.
 */
public final class KubernetesCoordinatorProvider implements CoordinatorProvider {
    /** For {@link java.util.ServiceLoader}. */
    public KubernetesCoordinatorProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of(Address.SCHEME);
    }

    /** Nothing has to be created: it connects with its first call. */
    @Override
    public Coordinator open(String at, Timeline timeline, Duration requestTimeout, Mode mode) {
        Address address = Address.of(at);
        Config config = config(address);
        int millis = (int) Math.min(Integer.MAX_VALUE, Math.max(1, requestTimeout.toMillis()));
        config.setConnectionTimeout(millis);
        config.setRequestTimeout(millis);
        config.setRequestRetryBackoffLimit(0);
        config.setHttp2Disable(true);
        String namespace = address.namespace()
                .or(() -> Optional.ofNullable(config.getNamespace()))
                .orElse("default");
        Transport transport = transport(at, config);
        Failures failures = new Failures(transport.server(), namespace);
        return new KubernetesCoordinator(
                new Api(transport, timeline, requestTimeout, failures), namespace, timeline, mode);
    }

    private static Transport transport(String at, Config config) {
        try {
            return Transport.open(config);
        } catch (RuntimeException e) {
            throw new CoordinatorUnusableException(
                    "the coordinator " + at + " cannot be opened with what the kubeconfig says: " + root(e), e);
        }
    }

    /** What lies beneath; fabric8 itself says no more than that an error has occurred. */
    private static Throwable root(Throwable failure) {
        Throwable root = failure;
        for (Throwable next = failure.getCause(); next != null; next = next.getCause()) {
            root = next;
        }
        return root;
    }

    private static Config config(Address address) {
        Config config = address.kubeconfig().isPresent()
                ? fromFile(new File(address.kubeconfig().get()), address)
                : Config.autoConfigure(address.context().orElse(null));
        boolean isInPod = System.getenv("KUBERNETES_SERVICE_HOST") != null;
        if (config.getCurrentContext() == null
                && !isInPod
                && address.kubeconfig().isEmpty()) {
            throw new CoordinatorUnusableException(
                    "no Kubernetes cluster is known: there is no kubeconfig ($KUBECONFIG, ~/.kube/config, ?kubeconfig=), and this is no pod");
        }
        boolean hasContext = config.getCurrentContext() != null
                && address.context()
                        .map(config.getCurrentContext().getName()::equals)
                        .orElse(true);
        if (!hasContext && !isInPod) {
            throw new CoordinatorUnusableException(
                    "the kubeconfig has no context " + address.context().orElse("that is current"));
        }
        return config;
    }

    private static Config fromFile(File file, Address address) {
        if (!file.canRead()) {
            throw new CoordinatorUnusableException("the kubeconfig " + file + " cannot be read");
        }
        try {
            return Config.fromKubeconfig(address.context().orElse(null), file);
        } catch (RuntimeException e) {
            throw new CoordinatorUnusableException(
                    "the kubeconfig " + file + " is not understood: " + e.getMessage(), e);
        }
    }
}
