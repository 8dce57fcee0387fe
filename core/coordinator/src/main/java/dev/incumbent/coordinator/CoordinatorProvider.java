package dev.incumbent.coordinator;

import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Opens coordinators by URI; found by {@link java.util.ServiceLoader}. Has a public constructor without arguments. */
public interface CoordinatorProvider {
    /**
     * The provider of that URI among those on the class path. Where there is none it throws a {@link CoordinatorUnusableException}, which names the schemes that are
     * known and nothing of the URI but its scheme, for the rest may be secret.
     */
    static CoordinatorProvider of(String at) {
        TreeSet<String> known = new TreeSet<>();
        for (ClassLoader loader : loaders()) {
            for (CoordinatorProvider provider : ServiceLoader.load(CoordinatorProvider.class, loader)) {
                if (provider.opens(at)) {
                    return provider;
                }
                known.addAll(provider.schemes());
            }
        }
        throw new CoordinatorUnusableException(
                "no coordinator on the class path opens a URI that begins with '" + at.split(":", 2)[0]
                        + ":'; known schemes are " + (known.isEmpty() ? "none" : String.join(", ", known)));
    }

    /** This interface's own, and that of the thread's context: in a container, or in a thread of the common pool, either may see the providers alone. */
    private static List<ClassLoader> loaders() {
        return Stream.of(
                        CoordinatorProvider.class.getClassLoader(),
                        Thread.currentThread().getContextClassLoader())
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    /** Is that URI of one of its schemes? */
    default boolean opens(String at) {
        return schemes().stream().anyMatch(scheme -> at.startsWith(scheme + ":"));
    }

    /** The schemes of the URIs it opens, such as {@code file}; of {@code jdbc} with the name behind it, such as {@code jdbc:h2}, for several providers open such. */
    Set<String> schemes();

    /**
     * Opens the coordinator at a URI, creating what it needs unless {@code mode} forbids. Throws {@link CoordinatorUnusableException} where that
     * cannot be; does not wait for a server that does not answer.
     */
    Coordinator open(String at, Timeline timeline, Duration requestTimeout, Mode mode);

    /**
     * Makes what an opening does not make by itself, where it is missing, within that time; most need nothing. Blocks. Throws what {@link #open} throws, or a
     * {@link CoordinatorException}.
     */
    default void install(String at, Duration bound) {}

    /** Why there is no store at a URI yet, where nobody needs to be asked for that: a file that is not there. Empty where it is there, or only a server knows. */
    default Optional<String> missing(String at) {
        return Optional.empty();
    }

    /** May the store be created? */
    enum Mode {
        CREATE,
        /** For verbs that only read: a store that is not there stays absent, and reads as empty unless it has to be installed. */
        READ_ONLY
    }
}
