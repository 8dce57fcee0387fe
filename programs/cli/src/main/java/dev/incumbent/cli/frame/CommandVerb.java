package dev.incumbent.cli.frame;

import java.util.List;

/** A verb that runs another program: all that follows the first {@code --} of its line is that program's, whatever it looks like. */
public interface CommandVerb extends Verb {
    /** Takes the program and its arguments, at least one word; called before {@link #run}. */
    void command(List<String> words);
}
