package dev.incumbent;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.time.Timeline;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Opens a coordinator in memory, new each time, for {@code memory:NAME}, and notes what was asked; {@code memory:broken} cannot be used. */
public final class MemoryProvider implements CoordinatorProvider {
    static final Queue<String> NOTES = new ConcurrentLinkedQueue<>();

    /** For {@link java.util.ServiceLoader}. */
    public MemoryProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("memory");
    }

    @Override
    public Coordinator open(String at, Timeline timeline, Duration requestTimeout, Mode mode) {
        NOTES.add("open " + at + " " + requestTimeout.toMillis() + " ms " + mode);
        if (at.endsWith("broken")) {
            timeline.at(timeline.nanos(), () -> {});
            throw new CoordinatorUnusableException("it is broken");
        }
        return noted(at, MemoryCoordinator.connect(new MemoryStore(timeline), timeline, requestTimeout));
    }

    private static Coordinator noted(String at, Coordinator real) {
        return (Coordinator) Proxy.newProxyInstance(
                Coordinator.class.getClassLoader(), new Class<?>[] {Coordinator.class}, (proxy, method, arguments) -> {
                    if (Set.of("revoke", "close").contains(method.getName())) {
                        NOTES.add(method.getName() + " " + at);
                    }
                    return method.invoke(real, arguments);
                });
    }
}
