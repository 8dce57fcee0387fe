package dev.incumbent.cli.frame;

import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.coordinator.sqlite.SqliteCoordinatorProvider;
import java.util.Iterator;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Who opens coordinators: first the embedded file's provider, which most command lines need, then all of the class path.
 *
 * <p>The class path is searched only when somebody asks for the second, since every jar of it is opened for that.
 */
final class CoordinatorProviders implements Iterable<CoordinatorProvider> {
    @Override
    public Iterator<CoordinatorProvider> iterator() {
        return new FileFirst();
    }

    private static final class FileFirst implements Iterator<CoordinatorProvider> {
        private boolean isBegun;
        private @Nullable Iterator<CoordinatorProvider> others;

        @Override
        public boolean hasNext() {
            return !isBegun || others().hasNext();
        }

        @Override
        public CoordinatorProvider next() {
            if (isBegun) {
                return others().next();
            }
            isBegun = true;
            return new SqliteCoordinatorProvider();
        }

        private Iterator<CoordinatorProvider> others() {
            Iterator<CoordinatorProvider> found = others;
            if (found == null) {
                found = ServiceLoader.load(CoordinatorProvider.class).iterator();
                others = found;
            }
            return found;
        }
    }
}
