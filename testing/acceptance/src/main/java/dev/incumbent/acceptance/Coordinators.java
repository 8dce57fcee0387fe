package dev.incumbent.acceptance;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.ServiceLoader;

/** Opens coordinators as the command line does. */
final class Coordinators {
    private Coordinators() {}

    static Coordinator open(String uri, Timeline clocks, Duration requestTimeout) {
        return provider(uri).open(uri, clocks, requestTimeout, CoordinatorProvider.Mode.CREATE);
    }

    static void install(String uri) {
        provider(uri).install(uri, Duration.ofMinutes(1));
    }

    private static CoordinatorProvider provider(String uri) {
        for (CoordinatorProvider provider : ServiceLoader.load(CoordinatorProvider.class)) {
            if (provider.schemes().stream().anyMatch(scheme -> uri.startsWith(scheme + ":"))) {
                return provider;
            }
        }
        throw new IllegalArgumentException("no coordinator for the scheme of " + uri.replaceAll(":.*", ":…"));
    }
}
