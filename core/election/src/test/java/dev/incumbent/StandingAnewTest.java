package dev.incumbent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A candidacy is closed while its claim is under way, and another is opened in the same election at once. */
@Tag("realtime")
class StandingAnewTest {
    private static final Timing TIMING = Timing.ofLease(Duration.ofSeconds(1));

    private final SystemTimeline time = new SystemTimeline();
    private final FirstSwapLate store =
            new FirstSwapLate(MemoryCoordinator.connect(new MemoryStore(time), time, TIMING.requestTimeout()));
    private final Elections elections = Elections.over(store.coordinator())
            .name("a")
            .timing(TIMING)
            .timeline(time)
            .open();

    @AfterEach
    void closeAll() {
        elections.close();
        time.close();
    }

    @Test
    void itWaitsAsLongAsTheFormersSwapIsUnderWay() {
        closeUnderTheFirstSwap();

        Candidacy anew = elections.election("job").campaign();
        await("its trouble", () -> waitsForTheFormer(anew));
        int before = store.keptAlive.get();
        await("two keep-alives", () -> store.keptAlive.get() >= before + 2);

        assertThat(waitsForTheFormer(anew)).isTrue();
        assertThat(store.swaps).hasValue(1);
        store.firstIsUncertain();
        await("its term", () -> anew.leadership().isPresent());
        assertThat(anew.health().trouble()).isEmpty();
    }

    /** Nothing would ever settle that swap: the record stays as it is until it lands, or another does. */
    @Test
    void itDoesNotWaitForASwapThatMayLandAndDisownsItOnceItHasLanded() {
        closeUnderTheFirstSwap();
        Candidacy anew = elections.election("job").campaign();

        store.firstLandsBeforeTheNext();
        store.firstIsUncertain();

        await("its term", () -> anew.leadership().isPresent());
        assertThat(anew.leadership().orElseThrow().token().value())
                .as("term 1 is the one that landed late, and was disowned")
                .isEqualTo(2);
    }

    private void closeUnderTheFirstSwap() {
        Candidacy former = elections.election("job").campaign();
        await("a claim", () -> store.swaps.get() == 1);
        former.closeAsync();
    }

    private static boolean waitsForTheFormer(Candidacy candidacy) {
        return candidacy
                .health()
                .trouble()
                .filter(what -> what.contains("stands once its former candidacy in job has left"))
                .isPresent();
    }

    private static void await(String what, BooleanSupplier come) {
        for (int i = 0; i < 1_000; i++) {
            if (come.getAsBoolean()) {
                return;
            }
            LockSupport.parkNanos(10_000_000);
        }
        throw new AssertionError(what + ": not within 10 s");
    }

    /** A store that does nothing about the first swap until it is told to; all else it does at once. */
    private static final class FirstSwapLate {
        final AtomicInteger swaps = new AtomicInteger();
        final AtomicInteger keptAlive = new AtomicInteger();
        private final Coordinator whole;
        private final CompletableFuture<Object> first = new CompletableFuture<>();
        private volatile Runnable landing = () -> {};
        private volatile boolean landsBeforeTheNext;

        FirstSwapLate(Coordinator whole) {
            this.whole = whole;
        }

        Coordinator coordinator() {
            return (Coordinator) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {Coordinator.class},
                    (proxy, method, arguments) -> called(method, arguments));
        }

        void firstIsUncertain() {
            first.completeExceptionally(new CoordinatorException("no answer in time", true));
        }

        void firstLandsBeforeTheNext() {
            landsBeforeTheNext = true;
        }

        private Object called(Method method, Object[] arguments) throws ReflectiveOperationException {
            if (method.getName().equals("swap")) {
                if (swaps.incrementAndGet() == 1) {
                    landing = () -> served(method, arguments);
                    return first.minimalCompletionStage();
                }
                if (swaps.get() == 2 && landsBeforeTheNext) {
                    landing.run();
                }
            } else if (method.getName().equals("keepAlive")) {
                keptAlive.incrementAndGet();
            }
            return method.invoke(whole, arguments);
        }

        private void served(Method method, Object[] arguments) {
            try {
                method.invoke(whole, arguments);
            } catch (ReflectiveOperationException e) {
                throw new LinkageError("the first swap cannot be sent", e);
            }
        }
    }
}
