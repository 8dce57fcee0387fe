package dev.incumbent.junit;

import java.util.Optional;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Gives each test a {@link World} of its own as a parameter, and closes it after the test. {@link IncumbentTest} brings it along; with JUnit's own {@code @Test}, write {@code @ExtendWith}.
 *
 * <p>If the test fails, what it threw is thrown on, and carries the world's story as a suppressed {@link AssertionError}.
 */
public final class IncumbentExtension
        implements ParameterResolver, TestExecutionExceptionHandler, AfterTestExecutionCallback, AfterEachCallback {
    private static final ExtensionContext.Namespace OURS = ExtensionContext.Namespace.create(IncumbentExtension.class);
    private static final long SEED = 1;

    /** Stateless: each test has its world in JUnit's store. */
    public IncumbentExtension() {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == World.class
                && context.getTestMethod().isPresent();
    }

    @Override
    public World resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Optional<VirtualWorld> there = worldOf(context);
        if (there.isPresent()) {
            return there.get();
        }
        VirtualWorld world = new VirtualWorld(seed(context));
        context.getStore(OURS).put(World.class, world);
        return world;
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable thrown) throws Throwable {
        worldOf(context).ifPresent(world -> thrown.addSuppressed(new AssertionError(world.digest())));
        throw thrown;
    }

    /** What the world itself has found out after the last call of the test fails it, too. */
    @Override
    public void afterTestExecution(ExtensionContext context) {
        Optional<VirtualWorld> world = worldOf(context);
        if (world.isPresent()) {
            world.get().close();
            if (context.getExecutionException().isEmpty()) {
                world.get().rethrowWhatIsUntold();
            }
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        worldOf(context).ifPresent(VirtualWorld::close);
    }

    private static Optional<VirtualWorld> worldOf(ExtensionContext context) {
        return Optional.ofNullable(context.getStore(OURS).get(World.class, VirtualWorld.class));
    }

    private static long seed(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getTestMethod(), IncumbentTest.class)
                .map(IncumbentTest::seed)
                .orElse(SEED);
    }
}
