package dev.incumbent.acceptance;

import java.util.List;
import java.util.concurrent.Callable;

/**
 * A coordinator on a real server, not yet started.
 *
 * @param name as people call it
 * @param begin starts the server
 */
record Store(String name, Callable<Running> begin) {
    /**
     * One that answers.
     *
     * @param uri for {@code --at}; may bear credentials
     * @param ends what is to be done after use, the last first
     */
    record Running(String uri, List<Runnable> ends) implements AutoCloseable {
        @Override
        public void close() {
            for (int i = ends.size() - 1; i >= 0; i--) {
                ends.get(i).run();
            }
        }
    }
}
