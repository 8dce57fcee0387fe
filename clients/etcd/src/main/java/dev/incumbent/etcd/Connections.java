package dev.incumbent.etcd;

import dev.incumbent.wire.Tls;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;

/** How one client connects: to which member, with which certificates, in whose name. Thread-safe. */
final class Connections {
    private final EtcdAddress address;
    private final Route route;
    private final Optional<Tls> tls;
    private final Access access;
    private final long boundMillis;

    Connections(EtcdAddress address, Duration bound) {
        this.address = address;
        this.route = new Route(address.endpoints(), InetAddress::getAllByName);
        this.tls = address.tls().map(Connections::tls);
        this.access = new Access(address.login());
        this.boundMillis = bound.toMillis();
    }

    /** How many addresses there are to try, as far as that is known yet. */
    int count() {
        return route.length();
    }

    HttpWire next() throws IOException {
        return new HttpWire(route.current());
    }

    void leave(HttpWire failed) {
        route.leave(failed.endpoint(), failed.address());
    }

    Requests connect(HttpWire wire) throws IOException {
        InetAddress where = route.address(wire.endpoint());
        wire.connect(where, tls, (int) Math.max(1, boundMillis / route.length()));
        return new Requests(wire, access);
    }

    Access access() {
        return access;
    }

    EtcdException unreachable(HttpWire last, IOException why) {
        return new EtcdException(
                "etcd at " + address + " cannot be reached: " + last.endpoint() + " " + told(why),
                EtcdException.Kind.NOT_APPLIED,
                why);
    }

    private static Tls tls(EtcdAddress.TlsFiles files) {
        try {
            Optional<Path> authorities = files.authorities().map(Path::of);
            return files.certificate().isPresent() && files.key().isPresent()
                    ? Tls.trusting(
                            authorities,
                            new Tls.Identity(
                                    Path.of(files.certificate().get()),
                                    Path.of(files.key().get())))
                    : Tls.trusting(authorities);
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw new EtcdException("the certificates for etcd cannot be read: " + e, EtcdException.Kind.UNUSABLE, e);
        }
    }

    private static String told(IOException why) {
        if (why instanceof UnknownHostException) {
            return "has no address";
        }
        if (why instanceof SocketTimeoutException) {
            return "does not answer";
        }
        return why instanceof ConnectException
                ? "refuses connections"
                : "ends the connection at its beginning (" + why.getMessage() + ")";
    }
}
