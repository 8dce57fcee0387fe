package dev.incumbent.adverse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectIteration;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.tck.Cut;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The contract is software, too: it refuses a client that lies about leases, and one that never works again after a failure. */
@Tag("realtime")
@Execution(ExecutionMode.SAME_THREAD)
final class BrokenStoreTest {
    @Test
    void aKeepAliveThatIsAnsweredByTheClientItselfIsSeenAsTwoLeaders() {
        List<String> refusals = refusalsOf(answering("keepAlive"));

        assertThat(refusals).isNotEmpty();
    }

    @Test
    void aClientThatStaysDeadAfterOneFailureIsSeenAsStuck() {
        List<String> refusals = refusalsOf(BrokenStoreTest::deadAfterOneFailure);

        assertThat(refusals).isNotEmpty();
    }

    private static List<String> refusalsOf(UnaryOperator<Coordinator> dress) {
        List<String> refusals = new ArrayList<>();
        TestExecutionListener listener = new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest() && result.getStatus() == TestExecutionResult.Status.FAILED) {
                    refusals.add(test.getDisplayName());
                }
            }
        };
        DressedContract.DRESS.set(dress);
        try {
            LauncherFactory.create()
                    .execute(
                            LauncherDiscoveryRequestBuilder.request()
                                    .selectors(selectIteration(
                                            selectMethod(
                                                    DressedContract.class,
                                                    "aLeaderCutOffIsSucceededAndStandsAgain",
                                                    Cut.class.getName()),
                                            List.of(Cut.values()).indexOf(Cut.SILENT)))
                                    .build(),
                            listener);
        } finally {
            DressedContract.DRESS.set(UnaryOperator.identity());
        }
        return refusals;
    }

    private static UnaryOperator<Coordinator> answering(String call) {
        return honest -> dressed((proxy, method, arguments) -> method.getName().equals(call)
                ? CompletableFuture.completedFuture(null)
                : method.invoke(honest, arguments));
    }

    private static Coordinator deadAfterOneFailure(Coordinator honest) {
        CompletableFuture<Object> dead = new CompletableFuture<>();
        return dressed((proxy, method, arguments) -> {
            if (dead.isCompletedExceptionally() && method.getReturnType().isAssignableFrom(CompletableFuture.class)) {
                return dead;
            }
            Object answer = method.invoke(honest, arguments);
            if (answer instanceof java.util.concurrent.CompletionStage<?> stage) {
                stage.whenComplete((value, failure) -> {
                    if (failure != null) {
                        dead.completeExceptionally(failure);
                    }
                });
            }
            return answer;
        });
    }

    private static Coordinator dressed(InvocationHandler handler) {
        InvocationHandler unwrapped = (proxy, method, arguments) -> {
            try {
                return switch (method.getName()) {
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    default -> handler.invoke(proxy, method, arguments);
                };
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return (Coordinator) Proxy.newProxyInstance(
                BrokenStoreTest.class.getClassLoader(), new Class<?>[] {Coordinator.class}, unwrapped);
    }
}
