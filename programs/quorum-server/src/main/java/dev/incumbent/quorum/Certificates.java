package dev.incumbent.quorum;

import dev.incumbent.wire.Tls;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * The PEM files by which a node speaks TLS with clients and with the other nodes. They are read again when they change; connections that are open go on.
 *
 * @param chain this node's certificate, for the host that its member names, and what signed it
 * @param key its private key, PKCS#8, not encrypted
 * @param authorities who signs the nodes' certificates, and nobody else is believed
 */
public record Certificates(Path chain, Path key, Path authorities) {
    /** What connections are made and taken with. Throws {@link NodeRefusal} where a file is none of this kind. */
    SSLContext context() {
        try {
            return Tls.context(identity(), trust());
        } catch (GeneralSecurityException e) {
            throw new NodeRefusal("TLS cannot be used: " + e);
        }
    }

    /** Shows this node's certificate of the time of each handshake. */
    X509ExtendedKeyManager identity() {
        try {
            return Tls.identity(new Tls.Identity(chain, key));
        } catch (GeneralSecurityException | IOException e) {
            throw new NodeRefusal("the certificate " + chain + " with the key " + key + " cannot be used: " + e);
        }
    }

    /** Believes whom the authorities of the time of each handshake have signed. */
    X509ExtendedTrustManager trust() {
        try {
            return Tls.authorities(authorities);
        } catch (GeneralSecurityException | IOException e) {
            throw new NodeRefusal("the certificates in " + authorities + " cannot be read: " + e);
        }
    }
}
