package dev.incumbent.fence;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Mark;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What a sink told of its marks: those that it has, and for which elections it holds something that is no mark, each with the reason. One unreadable mark hides no
 * other. It is not an absent one either: a leader raises again what is absent, and nobody writes past what cannot be read. Immutable; sorted by name.
 */
public record MarksRead(Map<ElectionName, Mark> marks, Map<ElectionName, String> unreadable) {
    public MarksRead {
        marks = Collections.unmodifiableMap(new TreeMap<>(marks));
        unreadable = Collections.unmodifiableMap(new TreeMap<>(unreadable));
    }

    /** All of these are readable. */
    public static MarksRead of(Map<ElectionName, Mark> marks) {
        return new MarksRead(marks, Map.of());
    }

    /** The mark of one election; empty where it has none. Throws a {@link SinkException} where it cannot be read. */
    public Optional<Mark> of(ElectionName election) {
        Optional.ofNullable(unreadable.get(election)).ifPresent(why -> {
            throw new SinkException("the mark of " + election + " cannot be read: " + why);
        });
        return Optional.ofNullable(marks.get(election));
    }

    /** Those of these elections. */
    public MarksRead only(Set<ElectionName> elections) {
        Map<ElectionName, Mark> some = new TreeMap<>(marks);
        some.keySet().retainAll(elections);
        Map<ElectionName, String> others = new TreeMap<>(unreadable);
        others.keySet().retainAll(elections);
        return new MarksRead(some, others);
    }

    /** Gathers what a provider finds. Not thread-safe. */
    public static final class Gathered {
        private final Map<ElectionName, Mark> marks = new TreeMap<>();
        private final Map<ElectionName, String> unreadable = new TreeMap<>();

        /** With nothing found yet. */
        public Gathered() {}

        /** What stands under the name of an election. A name that no election can have is somebody else's, and left out. */
        public void add(String name, Supplier<Optional<Mark>> mark) {
            ElectionName.ifLegal(name).ifPresent(election -> add(election, mark));
        }

        /** What stands there for an election: no mark, a mark, or what throws an {@link IllegalArgumentException} or a {@link SinkException} when it is read. */
        public void add(ElectionName election, Supplier<Optional<Mark>> mark) {
            try {
                mark.get().ifPresent(read -> marks.put(election, read));
            } catch (IllegalArgumentException | SinkException e) {
                unreadable.put(election, String.valueOf(e.getMessage()));
            }
        }

        public MarksRead told() {
            return new MarksRead(marks, unreadable);
        }
    }
}
