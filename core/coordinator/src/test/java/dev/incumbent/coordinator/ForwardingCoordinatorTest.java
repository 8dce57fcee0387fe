package dev.incumbent.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ForwardingCoordinatorTest {
    private static final ElectionName BILLING = new ElectionName("billing");
    private static final Capabilities CAPABILITIES = new Capabilities(
            Duration.ofSeconds(1),
            Duration.ofMillis(1),
            Duration.ZERO,
            true,
            false,
            Capabilities.ExpiryClock.SERVER_MONOTONIC,
            Capabilities.Consistency.LINEARIZABLE);
    /** One of each type that a call takes. */
    private static final List<Object> ARGUMENTS = List.of(
            new CandidateId("a"),
            Duration.ofSeconds(7),
            new LeaseId("La"),
            Set.of(BILLING),
            BILLING,
            new Revision("r1"),
            LeaderRecord.EMPTY,
            new Enlisted(new Candidate(new CandidateId("a"), "a", ""), new LeaseId("La"), Instant.EPOCH, Set.of()),
            "prefix",
            new Deaf());

    private final List<String> heard = new ArrayList<>();
    private final CompletableFuture<Object> answer = new CompletableFuture<>();
    private final Watch watch = () -> {};
    private final Coordinator inner = coordinator((proxy, method, arguments) -> {
        heard.add(call(method, arguments));
        return answerOf(method);
    });
    private final ForwardingCoordinator forwarding = new ForwardingCoordinator(inner) {};

    @ParameterizedTest
    @MethodSource("calls")
    void eachCallReachesTheOtherWithItsArgumentsAndBringsBackItsAnswer(Method method) throws Exception {
        Object[] arguments = Stream.of(method.getParameterTypes())
                .map(ForwardingCoordinatorTest::some)
                .toArray();

        Object answered = method.invoke(forwarding, arguments);

        assertThat(heard).containsExactly(call(method, arguments));
        assertThat(answered).isSameAs(answerOf(method));
    }

    @Test
    void whoOverridesACallReachesTheOtherByItself() {
        assertThat(forwarding.inner()).isSameAs(inner);
    }

    @Test
    void aStoreThatDoesNotSayOtherwiseTellsNoNumberOfServers() {
        Coordinator plain = coordinator(InvocationHandler::invokeDefault);

        assertThat(plain.memberCount()).isCompletedWithValue(OptionalInt.empty());
    }

    /** In one order in every JVM, for a test that failed is run again by its number. */
    static Stream<Method> calls() {
        return Stream.of(Coordinator.class.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .sorted(Comparator.comparing(Method::getName));
    }

    private static Object some(Class<?> type) {
        return ARGUMENTS.stream().filter(type::isInstance).findFirst().orElseThrow();
    }

    private @Nullable Object answerOf(Method method) {
        if (method.getReturnType() == void.class) {
            return null;
        }
        if (method.getReturnType() == Watch.class) {
            return watch;
        }
        return method.getReturnType() == Capabilities.class ? CAPABILITIES : answer;
    }

    private static Coordinator coordinator(InvocationHandler handler) {
        return (Coordinator)
                Proxy.newProxyInstance(Coordinator.class.getClassLoader(), new Class<?>[] {Coordinator.class}, handler);
    }

    /** A watcher that is told nothing. */
    private static final class Deaf implements Watcher {
        @Override
        public void changed(ObservedRecord record) {}

        @Override
        public void gap() {}

        @Override
        public void currentAsOf(long sentAtNanos) {}
    }

    private static String call(Method method, Object @Nullable [] arguments) {
        return method.getName() + Arrays.toString(arguments == null ? new Object[0] : arguments);
    }
}
