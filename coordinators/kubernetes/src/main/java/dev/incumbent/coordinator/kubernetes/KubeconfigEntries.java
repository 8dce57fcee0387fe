package dev.incumbent.coordinator.kubernetes;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.Context;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import java.util.Optional;

/** What stands in the kubeconfig's files now of the user and the cluster of a configuration. Runs no credential plugin. */
final class KubeconfigEntries {
    private KubeconfigEntries() {}

    static Optional<AuthInfo> user(Config config) {
        return context(config)
                .flatMap(context -> Optional.ofNullable(config.getFileWithAuthInfo())
                        .map(KubeConfigUtils::parseConfig)
                        .flatMap(parsed -> parsed.getUsers().stream()
                                .filter(named -> named.getName().equals(context.getUser()))
                                .findFirst()))
                .map(NamedAuthInfo::getUser);
    }

    static Optional<Cluster> cluster(Config config) {
        return context(config)
                .flatMap(context -> Optional.ofNullable(config.getFileWithCluster())
                        .map(KubeConfigUtils::parseConfig)
                        .flatMap(parsed -> parsed.getClusters().stream()
                                .filter(named -> named.getName().equals(context.getCluster()))
                                .findFirst()))
                .map(NamedCluster::getCluster);
    }

    /** The current one; within a pod there is none. */
    static Optional<Context> context(Config config) {
        return Optional.ofNullable(config.getCurrentContext()).map(NamedContext::getContext);
    }
}
