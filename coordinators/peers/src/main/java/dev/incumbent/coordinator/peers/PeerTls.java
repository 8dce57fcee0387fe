package dev.incumbent.coordinator.peers;

import dev.incumbent.wire.StoreUri.HostAndPort;
import dev.incumbent.wire.Tls;
import java.io.IOException;
import java.net.Socket;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLSocket;

/** TLS by which both ends show a certificate. Thread-safe. */
final class PeerTls {
    /** The kinds of names in a certificate that say a host or an address. */
    private static final Set<Integer> HOST_NAMES = Set.of(2, 7);

    private final Tls tls;

    PeerTls(Tls tls) {
        this.tls = tls;
    }

    /** Whoever dials; blocks until both sides agree. The other end's certificate must name that host. */
    SSLSocket dialled(Socket plain, HostAndPort to) throws IOException {
        return tls.over(plain, to.host(), to.port());
    }

    /** Whoever was dialled; blocks until both sides agree. The other end shows a certificate that the authority has signed. */
    SSLSocket accepted(Socket plain) throws IOException {
        SSLSocket secured = (SSLSocket) tls.context().getSocketFactory().createSocket(plain, null, true);
        secured.setUseClientMode(false);
        secured.setNeedClientAuth(true);
        secured.startHandshake();
        return secured;
    }

    /** Why the certificate of the other end is not that of a host; empty where it is. Only whole names count. */
    static Optional<String> isNot(SSLSocket from, String host) {
        try {
            Certificate[] chain = from.getSession().getPeerCertificates();
            if (chain.length > 0 && chain[0] instanceof X509Certificate certificate && names(certificate, host)) {
                return Optional.empty();
            }
            return Optional.of("its certificate does not name " + host);
        } catch (IOException | CertificateParsingException e) {
            return Optional.of("its certificate does not name " + host + ": " + e);
        }
    }

    private static boolean names(X509Certificate certificate, String host) throws CertificateParsingException {
        Collection<List<?>> names = certificate.getSubjectAlternativeNames();
        String wanted = host.toLowerCase(Locale.ROOT);
        return names != null
                && names.stream()
                        .anyMatch(name -> HOST_NAMES.contains(name.get(0))
                                && String.valueOf(name.get(1))
                                        .toLowerCase(Locale.ROOT)
                                        .equals(wanted));
    }
}
