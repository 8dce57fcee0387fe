package dev.incumbent.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;

/** Three addresses of one name. Which of them answer, and which the resolver tells, changes. */
class HostAddressesTest {
    private static final Duration BOUND = Duration.ofSeconds(3);
    private static final InetAddress ONE = address(1);
    private static final InetAddress TWO = address(2);
    private static final InetAddress THREE = address(3);

    private List<InetAddress> resolved = List.of(ONE, TWO, THREE);
    private Set<InetAddress> up = Set.of(ONE, TWO, THREE);
    private final List<InetAddress> tried = new ArrayList<>();
    private final Deque<Runnable> later = new ArrayDeque<>();
    private final HostAddresses addresses =
            new HostAddresses("host.test", name -> resolved.toArray(new InetAddress[0]), later::add);

    @Test
    void theFirstThatAnswersIsTaken() throws IOException {
        up = Set.of(TWO, THREE);

        assertThat(connect()).isEqualTo(TWO);
        assertThat(tried).containsExactly(ONE, TWO);
    }

    @Test
    void theOneThatAnsweredLastIsTriedFirst() throws IOException {
        up = Set.of(THREE);
        connect();
        up = Set.of(ONE, TWO, THREE);
        tried.clear();

        assertThat(connect()).isEqualTo(THREE);
        assertThat(tried).containsExactly(THREE);
    }

    @Test
    void oneThatFailsAfterItAnsweredIsTriedLast() throws IOException {
        assertThat(connect()).isEqualTo(ONE);

        addresses.hasFailed(ONE);

        assertThat(addresses.inOrder()).containsExactly(TWO, THREE, ONE);
        assertThat(connect()).isEqualTo(TWO);
    }

    @Test
    void whereAllHaveFailedTheOldestFailureIsTriedFirst() throws IOException {
        up = Set.of();
        assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class).hasMessageContaining("127.0.0.3");

        assertThat(addresses.inOrder()).containsExactly(ONE, TWO, THREE);
        addresses.hasFailed(ONE);
        assertThat(addresses.inOrder()).containsExactly(TWO, THREE, ONE);
    }

    @Test
    void theNameIsResolvedForEachConnection() throws IOException {
        up = Set.of(ONE, TWO);
        connect();

        resolved = List.of(THREE, TWO);

        assertThat(addresses.inOrder()).containsExactly(THREE, TWO);
        assertThat(connect()).isEqualTo(TWO);
        resolved = List.of(ONE, TWO);
        assertThat(addresses.inOrder()).containsExactly(TWO, ONE);
    }

    @Test
    void nothingIsTriedOnceNobodyWaits() {
        up = Set.of(THREE);

        assertThatThrownBy(() -> addresses.connect(BOUND, () -> tried.size() == 1, this::attempt))
                .isInstanceOf(ConnectException.class);

        assertThat(tried).containsExactly(ONE);
    }

    @Test
    void eachHasAnEqualPartOfTheTime() throws IOException {
        List<Integer> parts = new ArrayList<>();

        assertThatThrownBy(() -> addresses.connect(BOUND, () -> false, (address, millis) -> {
                    parts.add(millis);
                    throw new ConnectException("as scripted");
                }))
                .isInstanceOf(ConnectException.class);

        assertThat(parts).containsExactly(1_000, 1_000, 1_000);
    }

    @Test
    void whoeverGoesByTheNameComesToTheFirstAndLeavesThatUntilItAnswersAgain() throws IOException {
        assertThat(addresses.isFirstUsable()).isTrue();
        up = Set.of(TWO);

        addresses.firstHasFailed();
        assertThat(addresses.isFirstUsable()).isFalse();
        assertThat(connect()).isEqualTo(TWO);
        assertThat(tried).containsExactly(TWO);
        assertThat(addresses.isFirstUsable()).isFalse();

        up = Set.of(ONE);
        assertThat(connect()).isEqualTo(ONE);
        assertThat(addresses.isFirstUsable()).isTrue();
    }

    @Test
    void aFailureIsForgottenAfterAWhileEvenIfTheOtherAddressAnswersMeanwhile() throws IOException {
        up = Set.of(TWO);
        addresses.firstHasFailed();
        connect();
        connect();
        assertThat(addresses.isFirstUsable()).isFalse();

        later.remove().run();

        assertThat(addresses.isFirstUsable()).isTrue();
        assertThat(addresses.inOrder()).containsExactly(TWO, ONE, THREE);
        assertThat(later).isEmpty();
        addresses.firstHasFailed();
        assertThat(addresses.isFirstUsable()).isFalse();
        assertThat(later).hasSize(1);
    }

    /** That one certificate is wrong says more than that nobody listens at another address. */
    @Test
    void oneThatTookTheConnectionSaysWhyAllFailed() {
        assertThatThrownBy(() -> addresses.connect(BOUND, () -> false, (address, millis) -> {
                    throw address.equals(TWO) ? new SSLException("not trusted") : new ConnectException("refused");
                }))
                .isInstanceOf(SSLException.class);
    }

    private InetAddress connect() throws IOException {
        return addresses.connect(BOUND, () -> false, this::attempt);
    }

    private InetAddress attempt(InetAddress address, int millis) throws IOException {
        tried.add(address);
        if (!up.contains(address)) {
            throw new ConnectException(address.getHostAddress() + " refuses connections");
        }
        return address;
    }

    private static InetAddress address(int last) {
        try {
            return InetAddress.getByAddress("host.test", new byte[] {127, 0, 0, (byte) last});
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
