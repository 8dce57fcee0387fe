package dev.incumbent.cli.frame;

import picocli.CommandLine;

/**
 * One verb of the command line: a class with picocli's annotations whose fields hold what was asked for.
 *
 * <p>Made anew for each run, by its constructor without arguments.
 */
public interface Verb {
    /**
     * Does it, on the calling thread.
     *
     * @return the exit code
     * @throws Exception a {@link Refusal} bears its own code; a failure of a coordinator or sink is told by its kind; all else is internal
     */
    int run(Surroundings around) throws Exception;

    /** Changes how the line is parsed, where annotations cannot say it. */
    default void parseWith(CommandLine line) {}
}
