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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Opens coordinators in Kubernetes' Lease objects: {@code kubernetes:///NAMESPACE}, by the kubeconfig or, within a pod, by its service account.
 * {@code ?context=} and {@code ?kubeconfig=} choose others than kubectl would.
 */
public final class KubernetesCoordinatorProvider implements CoordinatorProvider {
    private static final Duration LONGEST_READING = Duration.ofSeconds(30);

    private final Duration longestReading;

    /** For {@link java.util.ServiceLoader}. */
    public KubernetesCoordinatorProvider() {
        this(LONGEST_READING);
    }

    /** Gives the kubeconfig, with its credential plugin, that long. */
    KubernetesCoordinatorProvider(Duration longestReading) {
        this.longestReading = longestReading;
    }

    @Override
    public Set<String> schemes() {
        return Set.of(Address.SCHEME);
    }

    /** Nothing has to be created: it connects with its first call. */
    @Override
    public Coordinator open(String at, Timeline timeline, Duration requestTimeout, Mode mode) {
        Address address = Address.of(at);
        Config config = readInTime(at, address);
        int millis = (int) Math.min(Integer.MAX_VALUE, Math.max(1, requestTimeout.toMillis()));
        config.setConnectionTimeout(millis);
        config.setRequestTimeout(millis);
        config.setRequestRetryBackoffLimit(0);
        config.setHttp2Disable(true);
        String namespace = address.namespace()
                .or(() -> Optional.ofNullable(config.getNamespace()))
                .orElse("default");
        Transport transport = transport(at, config, timeline);
        Failures failures = new Failures(transport.server(), namespace, transport::credentialsTrouble);
        return new KubernetesCoordinator(
                new Api(transport, timeline, requestTimeout, failures), namespace, timeline, mode);
    }

    /** How long a credential plugin may take at the opening. */
    Duration longestReading() {
        return longestReading;
    }

    /** On a thread of its own, because fabric8 runs the kubeconfig's credential plugin, and waits for it without end. */
    private Config readInTime(String at, Address address) {
        CompletableFuture<Config> read = new CompletableFuture<>();
        Thread reads = new Thread(() -> read.complete(config(address)), "incumbent-kubernetes-credentials");
        reads.setUncaughtExceptionHandler((thread, failure) -> read.completeExceptionally(failure));
        reads.setDaemon(true);
        reads.start();
        try {
            return read.orTimeout(longestReading.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException failure) {
            if (failure.getCause() instanceof RuntimeException known) {
                throw known;
            }
            if (!(failure.getCause() instanceof TimeoutException)) {
                throw failure;
            }
            throw new CoordinatorUnusableException(
                    "the coordinator " + at + " cannot be opened: the kubeconfig's credentials did not come within "
                            + longestReading.toSeconds() + " s; does its credential plugin hang?",
                    failure);
        }
    }

    private static Transport transport(String at, Config config, Timeline timeline) {
        try {
            return Transport.open(config, timeline::nanos);
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
        IgnoredSettings.refuse(config);
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
