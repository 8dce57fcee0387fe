package dev.incumbent.acceptance;

import dev.incumbent.servers.Namespaces;
import dev.incumbent.servers.ServerProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The members of one coordinator, each in a namespace of one network. They are numbered from 0 on. Used by one thread. */
interface Ensemble extends AutoCloseable {
    int CONNECTING_MILLIS = 500;

    Namespaces network();

    /** Where each member takes clients. */
    List<String> hosts();

    /** For {@code --at}, the members in that order. */
    String uri(String hosts);

    ServerProcess process(int member);

    /** Starts one that was killed, on its data. */
    void startAgain(int member);

    /** The one that leads, as the members say. */
    OptionalInt leader();

    /** Is it by its own design that it has no leader under that fault, though a majority could have one? Nobody can lead over it then. */
    default boolean isHeadlessUnder(Fault fault) {
        return false;
    }

    /** Once that fault is healed, may it end leases that are kept alive, by a fault of its own that is known? Two may lead at once then, until the one whose lease was ended hears of it. */
    default boolean endsLeasesEarlyAfter(Fault fault) {
        return false;
    }

    /** Does it serve, as one of a majority? */
    boolean takesPart(int member);

    /** Has it started, as far as it can without the others? It takes connections then. */
    default boolean hasStarted(int member) {
        String host = hosts().get(member);
        int colon = host.lastIndexOf(':');
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(host.substring(0, colon), Integer.parseInt(host.substring(colon + 1))),
                    CONNECTING_MILLIS);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    @Override
    void close();

    default int size() {
        return hosts().size();
    }

    /** What a client opens that asks this member first. */
    default String uriFrom(int first) {
        return uri(IntStream.range(0, size())
                .mapToObj(i -> hosts().get((first + i) % size()))
                .collect(Collectors.joining(",")));
    }

    default boolean isWhole() {
        return IntStream.range(0, size()).allMatch(this::takesPart);
    }
}
