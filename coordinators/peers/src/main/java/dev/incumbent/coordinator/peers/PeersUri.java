package dev.incumbent.coordinator.peers;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.PeerGroup;
import dev.incumbent.wire.StoreUri;
import dev.incumbent.wire.StoreUri.HostAndPort;
import dev.incumbent.wire.Tls;
import dev.incumbent.wire.UriException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a URI says of a group: {@code peers+raft://a:7501,b:7501,c:7501?me=a&data=DIR}. A member without a port listens on 7500. A member's id is its host and port; where no other
 * member has its host, the host alone names it, too.
 *
 * @param label the URI without its parameters
 * @param addresses of all members, in the order of the ring
 * @param me which of them this process is, where it is one
 * @param listen where this member listens, if that is not its address in the list
 * @param data the folder of its term and vote
 * @param tls by which members know each other
 * @param acceptsTwoLeaders whoever wrote the URI knows that bully and ring have two leaders in a partition
 * @param isInsecure members beyond this machine are reached without TLS
 */
record PeersUri(
        String label,
        PeerKind kind,
        Map<MemberId, HostAndPort> addresses,
        Optional<MemberId> me,
        Optional<HostAndPort> listen,
        Optional<Path> data,
        Optional<PeerTls> tls,
        boolean acceptsTwoLeaders,
        boolean isInsecure) {
    private static final int PORT = 7500;
    private static final int LEAST_MEMBERS = 2;
    static final int MOST_MEMBERS = 99;

    PeersUri {
        addresses = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(addresses));
    }

    static PeersUri of(String uri) {
        try {
            return of(StoreUri.parse(uri));
        } catch (UriException e) {
            throw new CoordinatorUnusableException(
                    "the group " + e.getMessage()
                            + "; write peers+raft://HOST:PORT,HOST:PORT,HOST:PORT?me=HOST&data=DIR",
                    e);
        }
    }

    private static PeersUri of(StoreUri uri) {
        PeerKind kind = PeerKind.ofScheme(uri.scheme())
                .orElseThrow(() -> uri.refused("peers elect by peers+raft, peers+bully or peers+ring"));
        if (!uri.path().isEmpty() && !uri.path().equals("/")) {
            throw uri.refused("a group has no path");
        }
        if (uri.user().isPresent() || uri.password().isPresent()) {
            throw uri.refused("a group knows no users; its members know each other by tls-ca, tls-cert and tls-key");
        }
        Map<MemberId, HostAndPort> addresses = addresses(uri);
        Optional<MemberId> me = uri.parameters().take("me").map(name -> member(uri, addresses, name));
        Optional<HostAndPort> listen = uri.parameters().take("listen").map(PeersUri::listening);
        Optional<Path> data = uri.parameters().take("data").map(Path::of);
        Optional<PeerTls> tls = tls(uri);
        boolean acceptsTwoLeaders = uri.parameters().takeFlag("two-leaders").orElse(false);
        boolean isInsecure = uri.parameters().takeFlag("insecure").orElse(false);
        uri.parameters().refuseOthers();
        if (kind.isSafe() && me.isPresent() && data.isEmpty()) {
            throw uri.refused("a member keeps its term and its vote in a folder; add data=DIR");
        }
        if (!kind.isSafe() && data.isPresent()) {
            throw uri.refused("a member of a " + kind + " keeps nothing; leave out data=" + data.get());
        }
        PeersUri parsed =
                new PeersUri(uri.toString(), kind, addresses, me, listen, data, tls, acceptsTwoLeaders, isInsecure);
        parsed.requireTlsBeyondThisMachine(uri);
        return parsed;
    }

    private static Map<MemberId, HostAndPort> addresses(StoreUri uri) {
        Map<MemberId, HostAndPort> addresses = new LinkedHashMap<>();
        for (HostAndPort address : uri.hosts(PORT)) {
            if (addresses.put(new MemberId(address.toString()), address) != null) {
                throw uri.refused("the member " + address + " stands in it twice");
            }
        }
        if (addresses.size() < LEAST_MEMBERS || addresses.size() > MOST_MEMBERS) {
            throw uri.refused("a group has " + LEAST_MEMBERS + " to " + MOST_MEMBERS + " members, this one has "
                    + addresses.size());
        }
        return addresses;
    }

    /** A member by its id, or by its host where no other has that. */
    private static MemberId member(StoreUri uri, Map<MemberId, HostAndPort> addresses, String name) {
        List<MemberId> named = addresses.entrySet().stream()
                .filter(entry -> entry.getKey().value().equals(name)
                        || entry.getValue().host().equals(name))
                .map(Map.Entry::getKey)
                .toList();
        if (named.size() != 1) {
            throw uri.refused("me=" + name + " names " + (named.isEmpty() ? "none" : named.size() + " members")
                    + "; name one of " + PeerGreeting.text(List.copyOf(addresses.keySet())));
        }
        return named.get(0);
    }

    private static HostAndPort listening(String text) {
        return StoreUri.parse("peers+raft://" + text).hosts(PORT).get(0);
    }

    private static Optional<PeerTls> tls(StoreUri uri) {
        Optional<String> authority = uri.parameters().take("tls-ca");
        Optional<String> certificate = uri.parameters().take("tls-cert");
        Optional<String> key = uri.parameters().take("tls-key");
        if (authority.isEmpty() && certificate.isEmpty() && key.isEmpty()) {
            return Optional.empty();
        }
        if (authority.isEmpty() || certificate.isEmpty() || key.isEmpty()) {
            throw uri.refused(
                    "members show certificates to each other: name tls-ca, tls-cert and tls-key, or none of them");
        }
        try {
            return Optional.of(new PeerTls(Tls.trusting(
                    Optional.of(Path.of(authority.get())),
                    new Tls.Identity(Path.of(certificate.get()), Path.of(key.get())))));
        } catch (IOException | GeneralSecurityException | InvalidPathException e) {
            throw new CoordinatorUnusableException(
                    uri + ": tls-ca " + authority.get() + ", tls-cert " + certificate.get() + " and tls-key "
                            + key.get() + " cannot be used: " + e,
                    e);
        }
    }

    private void requireTlsBeyondThisMachine(StoreUri uri) {
        if (tls.isPresent() || isInsecure) {
            return;
        }
        for (HostAndPort address : addresses.values()) {
            if (!isOfThisMachine(address.host())) {
                throw uri.refused(address
                        + " is beyond this machine, where whoever reaches the port could vote: name tls-ca, tls-cert"
                        + " and tls-key, or say insecure=true");
            }
        }
        Optional<HostAndPort> open = listen.filter(address -> !isOfThisMachine(address.host()));
        if (open.isPresent()) {
            throw uri.refused("listen=" + open.get()
                    + " is open to other machines, and whoever reaches the port could vote: name tls-ca, tls-cert and"
                    + " tls-key, or say insecure=true");
        }
    }

    private static boolean isOfThisMachine(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException beyond) {
            return false;
        }
    }

    /** The group as that member sees it. */
    PeerGroup groupOf(MemberId member) {
        return new PeerGroup(member, List.copyOf(addresses.keySet()));
    }

    HostAndPort addressOf(MemberId member) {
        return Optional.ofNullable(addresses.get(member)).orElseThrow();
    }
}
