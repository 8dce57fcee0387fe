package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.Context;
import io.fabric8.kubernetes.client.Config;
import java.util.Optional;

/**
 * Settings of a kubeconfig that kubectl heeds and fabric8 passes over: with a {@code tokenFile} it shows no token at all, with {@code as} it acts as the user itself, and with a {@code tls-server-name} it asks the
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
        KubeconfigEntries.user(config).ifPresent(user -> refuseImpersonation(user, context.getUser()));
        set(KubeconfigEntries.cluster(config).map(Cluster::getTlsServerName)).ifPresent(name -> {
            throw new CoordinatorUnusableException("the kubeconfig's cluster " + context.getCluster()
                    + " has a tls-server-name, " + name
                    + ", which is not supported: name its server by a host that its certificate has");
        });
    }

    /** Its requests would be made as the user itself, who may have other rights than whom they shall be made as. */
    private static void refuseImpersonation(AuthInfo user, String name) {
        boolean isAsked = set(Optional.ofNullable(user.getAs())).isPresent()
                || set(Optional.ofNullable(user.getAsUid())).isPresent()
                || !user.getAsGroups().isEmpty()
                || !user.getAsUserExtra().isEmpty();
        if (isAsked) {
            throw new CoordinatorUnusableException("the kubeconfig's user " + name
                    + " acts as another (as, as-uid, as-groups, as-user-extra), which is not supported: name the"
                    + " credentials of the one who is to act");
        }
    }

    private static Optional<String> set(Optional<String> setting) {
        return setting.filter(text -> !text.isEmpty());
    }
}
