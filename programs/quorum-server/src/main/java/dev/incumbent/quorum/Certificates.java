package dev.incumbent.quorum;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * The PEM files by which a node speaks TLS with clients and with the other nodes.
 *
 * @param chain this node's certificate, for the host that its member names, and what signed it
 * @param key its private key, PKCS#8, not encrypted
 * @param authorities who signs the nodes' certificates, and nobody else is believed
 */
public record Certificates(Path chain, Path key, Path authorities) {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----(.+?)-----END PRIVATE KEY-----", Pattern.DOTALL);
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    /** What connections are made and taken with. Throws {@link NodeRefusal} where a file is none of this kind. */
    SSLContext context() {
        try {
            KeyStore own = empty();
            List<Certificate> certificates = certificates(chain);
            own.setKeyEntry("node", privateKey(), new char[0], certificates.toArray(Certificate[]::new));
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(own, new char[0]);
            KeyStore known = empty();
            List<Certificate> signers = certificates(authorities);
            for (int i = 0; i < signers.size(); i++) {
                known.setCertificateEntry("authority" + i, signers.get(i));
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(known);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new NodeRefusal("the certificate " + chain + " with the key " + key + " cannot be used: " + e);
        }
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        return store;
    }

    private static List<Certificate> certificates(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            List<Certificate> all =
                    new ArrayList<>(CertificateFactory.getInstance("X.509").generateCertificates(in));
            if (all.isEmpty()) {
                throw new NodeRefusal("the file " + file + " holds no certificate");
            }
            return all;
        } catch (GeneralSecurityException | IOException e) {
            throw new NodeRefusal("the certificates in " + file + " cannot be read: " + e);
        }
    }

    private PrivateKey privateKey() {
        String text;
        try {
            text = Files.readString(key, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new NodeRefusal("the key " + key + " cannot be read: " + e);
        }
        Matcher found = KEY.matcher(text);
        if (!found.find()) {
            throw new NodeRefusal("the file " + key + " holds no PRIVATE KEY (PKCS#8, not encrypted)");
        }
        for (String algorithm : ALGORITHMS) {
            try {
                byte[] bytes = Base64.getMimeDecoder().decode(found.group(1));
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
            } catch (GeneralSecurityException | IllegalArgumentException ofAnotherKind) {
                // The next one is tried.
            }
        }
        throw new NodeRefusal("the key in " + key + " is none of " + ALGORITHMS);
    }
}
