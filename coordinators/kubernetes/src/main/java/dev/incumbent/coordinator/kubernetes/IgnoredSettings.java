package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.Context;
import io.fabric8.kubernetes.client.Config;
import java.util.Optional;

/**
 * Settings of a kubeconfig that kubectl heeds and fabric8 passes over: with a {@code tokenFile} it shows no token at all, and with a {@code tls-server-name} it asks the
 * certificate for another name. Whoever wrote them is told so, and not that the credentials are wrong.
 */
final class IgnoredSettings {
    private IgnoredSettings() {}

    /** Refuses a configuration whose current user or cluster has such a setting. */
    static void refuse(Config config) {
        KubeconfigEntries.context(config).ifPresent(context -> refuse(config, context));
    }

    private static void refuse(Config config, Context context) {
        set(KubeconfigEntries.user(config).map(AuthInfo::getTokenFile)).ifPresent(file -> {
            throw new CoordinatorUnusableException("the kubeconfig's user " + context.getUser() + " has a tokenFile, "
                    + file + ", which is not supported: name a token, a client certificate or a credential plugin");
        });
        set(KubeconfigEntries.cluster(config).map(Cluster::getTlsServerName)).ifPresent(name -> {
            throw new CoordinatorUnusableException("the kubeconfig's cluster " + context.getCluster()
                    + " has a tls-server-name, " + name
                    + ", which is not supported: name its server by a host that its certificate has");
        });
    }

    private static Optional<String> set(Optional<String> setting) {
        return setting.filter(text -> !text.isEmpty());
    }
}
