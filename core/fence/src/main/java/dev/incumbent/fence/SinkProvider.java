package dev.incumbent.fence;

import java.time.Duration;
import java.util.Set;

/** Opens and installs sinks by URL; found by {@link java.util.ServiceLoader}. Has a public constructor without arguments. */
public interface SinkProvider {
    /** Does this provider open that URL? */
    boolean opens(String url);

    /** What its URLs begin with, for people. */
    Set<String> schemes();

    /** Opens a sink, whose every call ends within {@code bound}. Does not create one: a sink that is not installed tells so when asked. */
    Sink open(String url, Duration bound);

    /** Installs the sink's side, where it is missing; what is there stays as it is, its id above all. */
    void install(String url);

    /** Puts a guard on a table of the user's: it refuses any write without an admitted token of that election. */
    void guard(String url, String table, dev.incumbent.model.ElectionName election);
}
