package dev.incumbent.fence.zookeeper;

import java.util.Map;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import org.apache.zookeeper.server.auth.DigestLoginModule;

/** As whom ZooKeeper's clients of this JVM log in by SASL; tests that use it are alone in their JVM meanwhile. */
final class ZooKeeperLogin {
    private static final String MODULE = DigestLoginModule.class.getName();

    private ZooKeeperLogin() {}

    /** From now on every new client is that user. */
    static void as(String user, String password) {
        Map<String, String> options = Map.of("username", user, "password", password);
        Configuration.setConfiguration(
                new Logins(new AppConfigurationEntry(MODULE, LoginModuleControlFlag.REQUIRED, options)));
    }

    /** From now on new clients are nobody. */
    static void asNobody() {
        Configuration.setConfiguration(null);
    }

    private static final class Logins extends Configuration {
        private final AppConfigurationEntry client;

        Logins(AppConfigurationEntry client) {
            this.client = client;
        }

        @Override
        public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
            return name.equals("Client") ? new AppConfigurationEntry[] {client} : new AppConfigurationEntry[0];
        }
    }
}
