package dev.incumbent.coordinator.kubernetes;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.client.Config;
import java.util.Optional;

/**
 * A client certificate that a kubeconfig's credential plugin has returned.
 *
 * @param certificate itself, with what signed it
 * @param key its key
 */
record PluginCertificate(String certificate, String key) {

    /** The one that the plugin returned when that configuration was read; empty where there is no plugin, or where it returned none. */
    static Optional<PluginCertificate> of(Config read) {
        String certificate = read.getClientCertData();
        String key = read.getClientKeyData();
        return certificate == null
                        || key == null
                        || KubeconfigEntries.user(read)
                                .filter(PluginCertificate::isAsked)
                                .isEmpty()
                ? Optional.empty()
                : Optional.of(new PluginCertificate(certificate, key));
    }

    /** A certificate that stands in the kubeconfig itself is none of the plugin's. */
    private static boolean isAsked(AuthInfo user) {
        return user.getExec() != null && user.getClientCertificateData() == null;
    }

    void putInto(Config config) {
        config.setClientCertData(certificate);
        config.setClientKeyData(key);
    }

    /** Without the key. */
    @Override
    public String toString() {
        return certificate;
    }
}
