package dev.incumbent.fence.zookeeper;

import dev.incumbent.zookeeper.ZooKeeperUri;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import javax.security.auth.login.Configuration;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;

/** Who may touch the nodes that we create: we alone, if the server learns who we are. As the coordinator has it: an adapter imports no other one. */
final class Owner {
    private static final String DEFAULT_LOGIN = "Client";
    private static final String KEY_STORE = "zookeeper.ssl.keyStore.location";
    private static final int READS = Perms.READ;

    private final boolean isKnown;

    private Owner(boolean isKnown) {
        this.isKnown = isKnown;
    }

    /** Us at that address: by the URI's user, or as the client's own system properties say, by SASL or a client certificate. */
    static Owner at(ZooKeeperUri address) {
        ZKClientConfig config = new ZKClientConfig();
        String login = config.getProperty(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, DEFAULT_LOGIN);
        boolean bySasl = config.isSaslClientEnabled() && hasLogin(login);
        boolean byCertificate =
                config.getBoolean(ZKClientConfig.SECURE_CLIENT) && config.getProperty(KEY_STORE) != null;
        return new Owner(address.digest().isPresent() || bySasl || byCertificate);
    }

    private static boolean hasLogin(String name) {
        try {
            return Configuration.getConfiguration().getAppConfigurationEntry(name) != null;
        } catch (SecurityException noConfiguration) {
            return false;
        }
    }

    /** Does the server learn who we are? */
    boolean isKnown() {
        return isKnown;
    }

    /** All rights for every identity of this connection and nobody else; without one, for everybody. The client asks the list whether it contains null. */
    List<ACL> acl() {
        Id who = isKnown ? new Id("auth", "") : new Id("world", "anyone");
        return Collections.singletonList(new ACL(Perms.ALL, who));
    }

    /** Why a node with these rights is not ours alone; empty if nobody else may change it or what is beneath it. */
    Optional<String> complaint(String path, List<ACL> rights) {
        boolean isOpen = isKnown
                && rights.stream()
                        .anyMatch(one -> one.getId().getScheme().equals("world") && (one.getPerms() & ~READS) != 0);
        return isOpen
                ? Optional.of("its node " + path
                        + " may be changed by anybody (world:anyone), and this client has an identity: take it over with setAcl -R "
                        + path + " auth::cdrwa, logged in as that identity, or name another path")
                : Optional.empty();
    }
}
