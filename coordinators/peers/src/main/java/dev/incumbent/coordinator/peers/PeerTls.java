package dev.incumbent.coordinator.peers;

import dev.incumbent.wire.StoreUri.HostAndPort;
import dev.incumbent.wire.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

/** TLS by which both ends show a certificate. Thread-safe. */
final class PeerTls {
    /** The kinds of names in a certificate that say a host, and an address. */
    private static final int DNS_NAME = 2;

    private static final int IP_ADDRESS = 7;

    private final Tls tls;

    PeerTls(Tls tls) {
        this.tls = tls;
    }

    /** Whoever dials; blocks until both sides agree. The other end's certificate must name that host. */
    SSLSocket dialled(Socket plain, HostAndPort to) throws IOException {
        try {
            return tls.over(plain, to.host(), to.port());
        } catch (SocketException ended) {
            throw ended(ended);
        }
    }

    /** Whoever was dialled; blocks until both sides agree. The other end shows a certificate that the authority has signed. */
    SSLSocket accepted(Socket plain) throws IOException {
        SSLSocket secured = (SSLSocket) tls.context().getSocketFactory().createSocket(plain, null, true);
        secured.setUseClientMode(false);
        secured.setNeedClientAuth(true);
        try {
            secured.startHandshake();
        } catch (SocketException ended) {
            throw ended(ended);
        }
        return secured;
    }

    /** Whoever refuses a certificate may be gone before its alert is read, or before it has read everything: so an end without a word is a failure of TLS, too. */
    static SSLException ended(IOException ended) {
        return new SSLException(
                "the other end has left, as it does if it trusts no certificate of this one: " + ended, ended);
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

    static boolean names(X509Certificate certificate, String host) throws CertificateParsingException {
        Collection<List<?>> names = certificate.getSubjectAlternativeNames();
        return names != null
                && names.stream().anyMatch(name -> isName((Integer) name.get(0), String.valueOf(name.get(1)), host));
    }

    /** One address can be written in several ways. */
    private static boolean isName(int kind, String name, String host) {
        if (kind == IP_ADDRESS && host.indexOf(':') >= 0) {
            Optional<InetAddress> wanted = address(host);
            return wanted.isPresent() && wanted.equals(address(name));
        }
        return (kind == DNS_NAME || kind == IP_ADDRESS)
                && name.toLowerCase(Locale.ROOT).equals(host.toLowerCase(Locale.ROOT));
    }

    /** An address that is written as one is not looked up. */
    private static Optional<InetAddress> address(String text) {
        try {
            return Optional.of(InetAddress.getByName(text));
        } catch (UnknownHostException none) {
            return Optional.empty();
        }
    }
}
