package dev.incumbent.cli;

import dev.incumbent.cli.frame.Frame;
import dev.incumbent.cli.frame.Surroundings;

/** The program's entry. */
public final class Main {
    private Main() {}

    /** Runs one command line and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(new Frame(new Incumbent(), new Verbs(), Surroundings.ofThisProcess()).run(args));
    }
}
