package dev.incumbent.protocol;

import dev.incumbent.model.Feature;
import dev.incumbent.model.Sorted;
import java.util.Set;
import java.util.TreeSet;

/**
 * The features of one process.
 *
 * @param supported it knows these: it reports them where it enlists, stands on a record that requires them, and writes it
 * @param wanted while it leads, it has the record require these, once every candidate supports them
 */
public record Features(Set<Feature> supported, Set<Feature> wanted) {
    /** What a process of this version supports and wants by itself. It supports {@link Feature#STONITH} only in an election where it has a fence agent. */
    public static final Features OF_THIS_VERSION = new Features(Set.of(), Set.of());

    /** What an operator of this version may meet in a record that it writes. */
    public static final Set<Feature> KNOWN = Set.of(Feature.STONITH);

    public Features {
        supported = Sorted.copyOf(supported);
        wanted = Sorted.copyOf(wanted);
        if (supported.size() > Feature.MOST) {
            throw new IllegalArgumentException(
                    "a process supports at most " + Feature.MOST + " features, this one " + supported.size());
        }
        if (!supported.containsAll(wanted)) {
            throw new IllegalArgumentException(
                    "a process wants features that it supports: wanted " + wanted + ", supported " + supported);
        }
    }

    /** The same, and that one. */
    Features supporting(Feature more) {
        Set<Feature> all = new TreeSet<>(supported);
        all.add(more);
        return new Features(all, wanted);
    }
}
