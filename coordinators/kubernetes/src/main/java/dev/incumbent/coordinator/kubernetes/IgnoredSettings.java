package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.Context;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import java.util.Optional;

/**
 * Settings of a kubeconfig that kubectl heeds and fabric8 passes over: with a {@code tokenFile} it shows no token at all, and with a {@code tls-server-name} it asks the
 * certificate for another name. Whoever wrote them is told so, and not that the credentials are wrong.
 */
final class IgnoredSettings {
    private IgnoredSettings() {}

    /** Refuses a configuration whose current user or cluster has such a setting. */
    static void refuse(Config config) {
        if (config.getCurrentContext() == null) {
            return;
        }
        Context context = config.getCurrentContext().getContext();
        tokenFile(config, context.getUser()).ifPresent(file -> {
            throw new CoordinatorUnusableException("the kubeconfig's user " + context.getUser() + " has a tokenFile, "
                    + file + ", which is not supported: name a token, a client certificate or a credential plugin");
        });
        tlsServerName(config, context.getCluster()).ifPresent(name -> {
            throw new CoordinatorUnusableException("the kubeconfig's cluster " + context.getCluster()
                    + " has a tls-server-name, " + name
                    + ", which is not supported: name its server by a host that its certificate has");
        });
    }

    private static Optional<String> tokenFile(Config config, String user) {
        return Optional.ofNullable(config.getFileWithAuthInfo())
                .map(KubeConfigUtils::parseConfig)
                .flatMap(parsed -> parsed.getUsers().stream()
                        .filter(named -> named.getName().equals(user))
                        .findFirst())
                .map(NamedAuthInfo::getUser)
                .map(AuthInfo::getTokenFile)
                .filter(file -> !file.isEmpty());
    }

    private static Optional<String> tlsServerName(Config config, String cluster) {
        return Optional.ofNullable(config.getFileWithCluster())
                .map(KubeConfigUtils::parseConfig)
                .flatMap(parsed -> parsed.getClusters().stream()
                        .filter(named -> named.getName().equals(cluster))
                        .findFirst())
                .map(NamedCluster::getCluster)
                .map(Cluster::getTlsServerName)
                .filter(name -> !name.isEmpty());
    }
}
