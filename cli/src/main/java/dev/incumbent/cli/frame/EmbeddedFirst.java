package dev.incumbent.cli.frame;

import java.util.Iterator;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * The providers on the class path, the embedded one first: who takes that one does not wait until every jar was opened and asked what it provides, which takes longer
 * than all else that {@code status} does.
 */
record EmbeddedFirst<P>(P embedded, Class<P> kind) implements Iterable<P> {
    @Override
    public Iterator<P> iterator() {
        return new Providers();
    }

    /** The embedded one comes twice, which matters to nobody who looks for one that fits. */
    private final class Providers implements Iterator<P> {
        private boolean begun;
        private Optional<Iterator<P>> all = Optional.empty();

        @Override
        public boolean hasNext() {
            return !begun || all().hasNext();
        }

        @Override
        public P next() {
            if (begun) {
                return all().next();
            }
            begun = true;
            return embedded;
        }

        private Iterator<P> all() {
            if (all.isEmpty()) {
                all = Optional.of(ServiceLoader.load(kind).iterator());
            }
            return all.get();
        }
    }
}
