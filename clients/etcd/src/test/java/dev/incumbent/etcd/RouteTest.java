package dev.incumbent.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which address is asked after one that failed. */
class RouteTest {
    private static final EtcdAddress.Endpoint FIRST = new EtcdAddress.Endpoint("h1", 2379);
    private static final EtcdAddress.Endpoint SECOND = new EtcdAddress.Endpoint("h2", 2379);

    private final Map<String, List<Integer>> names = new HashMap<>();

    @Test
    void allAddressesOfAHostAreTriedBeforeTheNextMember() throws Exception {
        names.put("h1", List.of(1, 2));
        names.put("h2", List.of(3));
        Route route = route(FIRST, SECOND);

        assertThat(triedInTurn(route, 4)).containsExactly("h1 10.0.0.1", "h1 10.0.0.2", "h2 10.0.0.3", "h1 10.0.0.1");
        assertThat(route.length()).isEqualTo(3);
    }

    @Test
    void aHostWithoutAnAddressIsLeftForTheNextMember() throws Exception {
        names.put("h2", List.of(3));
        Route route = route(FIRST, SECOND);

        assertThatThrownBy(() -> route.address(route.current())).isInstanceOf(UnknownHostException.class);
        route.leave(FIRST, Optional.empty());

        assertThat(triedInTurn(route, 1)).containsExactly("h2 10.0.0.3");
    }

    /** The connection for reads and the one for writes fail together, and only one of them moves on. */
    @Test
    void aMemberThatTwoConnectionsLeaveIsLeftOnce() throws Exception {
        names.put("h1", List.of(1));
        names.put("h2", List.of(3));
        Route route = route(FIRST, SECOND);
        InetAddress failed = route.address(FIRST);

        route.leave(FIRST, Optional.of(failed));
        route.leave(FIRST, Optional.of(failed));

        assertThat(triedInTurn(route, 1)).containsExactly("h2 10.0.0.3");
    }

    @Test
    void addressesThatChangedAreTried() throws Exception {
        names.put("h1", List.of(1, 2));
        Route route = route(FIRST);
        assertThat(triedInTurn(route, 1)).containsExactly("h1 10.0.0.1");

        names.put("h1", List.of(1, 4));

        assertThat(triedInTurn(route, 1)).containsExactly("h1 10.0.0.4");
    }

    /** Only the address that failed is left, and it fails once more. */
    @Test
    void aHostThatLostAnAddressIsLeftInTheEnd() throws Exception {
        names.put("h1", List.of(1, 2));
        names.put("h2", List.of(3));
        Route route = route(FIRST, SECOND);
        assertThat(triedInTurn(route, 1)).containsExactly("h1 10.0.0.1");

        names.put("h1", List.of(1));

        assertThat(triedInTurn(route, 2)).containsExactly("h1 10.0.0.1", "h2 10.0.0.3");
    }

    private Route route(EtcdAddress.Endpoint... endpoints) {
        return new Route(List.of(endpoints), host -> {
            if (!names.containsKey(host)) {
                throw new UnknownHostException(host);
            }
            List<InetAddress> found = new ArrayList<>();
            for (int last : names.get(host)) {
                found.add(InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) last}));
            }
            return found.toArray(new InetAddress[0]);
        });
    }

    /** Each is left after it was tried. */
    private static List<String> triedInTurn(Route route, int times) throws UnknownHostException {
        List<String> tried = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            EtcdAddress.Endpoint endpoint = route.current();
            InetAddress address = route.address(endpoint);
            tried.add(endpoint.host() + " " + address.getHostAddress());
            route.leave(endpoint, Optional.of(address));
        }
        return tried;
    }
}
