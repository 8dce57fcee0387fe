package dev.incumbent.cli.frame;

import java.util.List;
import java.util.Optional;

/** The verbs there are, each made only when it is asked for: a class that is not loaded costs no time to start. */
public interface VerbTable {
    /** Their names in the order of the help; a verb within a group is named {@code group verb}, after its group, which may be a verb itself, or stand in a group. */
    List<String> names();

    /** A new object with picocli's annotations for a name: a {@link Verb}, or the head of a group. */
    Object make(String name);

    /** A verb that has read its line by itself, since it is a {@link PlainLine}; empty where the parser reads the line. */
    default Optional<Verb> plain(Surroundings around, String... args) {
        return Optional.empty();
    }
}
