package dev.incumbent.fence.file;

import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.SinkProvider;
import dev.incumbent.model.ElectionName;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/** Opens files as sinks: {@code filefence:PATH}. */
public final class FileSinkProvider implements SinkProvider {
    private static final String PREFIX = "filefence:";
    private static final Duration INSTALLING = Duration.ofSeconds(10);

    /** For {@link java.util.ServiceLoader}. */
    public FileSinkProvider() {}

    @Override
    public boolean opens(String url) {
        return url.startsWith(PREFIX);
    }

    @Override
    public Set<String> schemes() {
        return Set.of(PREFIX);
    }

    @Override
    public Sink open(String url, Duration bound) {
        return new FileSink(guarded(url), bound);
    }

    @Override
    public void install(String url) {
        guarded(url).install(INSTALLING);
    }

    @Override
    public void guard(String url, String table, ElectionName election) {
        throw new SinkException(guarded(url) + " has no tables to guard, so not " + table + " either");
    }

    private static GuardedFile guarded(String url) {
        String path = url.substring(PREFIX.length());
        try {
            if (!path.isEmpty() && !path.endsWith("/")) {
                return GuardedFile.at(Path.of(path));
            }
        } catch (InvalidPathException e) {
            throw new SinkException("'" + url + "' names no file: " + e.getMessage(), e);
        }
        throw new SinkException("'" + url + "' names no file; write " + PREFIX + "PATH");
    }
}
