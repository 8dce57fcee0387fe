package dev.incumbent.agent.elections;

import dev.incumbent.model.ElectionName;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * To what elections belong, such as to a coordinator, by their prefixes. Of several prefixes that cover an election, the longest counts. Immutable.
 *
 * @param <T> has an equality: what is equal is one
 */
public final class PrefixMap<T> {
    /** The name of what all elections belong to that no prefix covers. No election has it. */
    private static final String OTHERS = "*";

    private final T others;
    private final Map<Prefix, T> prefixes;

    /** All elections that no prefix covers belong to {@code others}. */
    public PrefixMap(T others, Map<Prefix, T> prefixes) {
        this.others = others;
        this.prefixes = new TreeMap<>(prefixes);
    }

    /** To what all elections belong that no prefix covers. */
    public T others() {
        return others;
    }

    /** To what an election belongs. */
    public T of(ElectionName election) {
        return longest(prefix -> prefix.covers(election));
    }

    private T longest(Predicate<Prefix> covering) {
        return prefixes.entrySet().stream()
                .filter(entry -> covering.test(entry.getKey()))
                .max(Comparator.comparingInt(entry -> entry.getKey().text().length()))
                .map(Entry::getValue)
                .orElse(others);
    }

    /** All to which an election beneath that prefix may belong. */
    public Set<T> beneath(Prefix asked) {
        Set<T> found = new LinkedHashSet<>();
        found.add(longest(prefix -> prefix.covers(asked)));
        prefixes.forEach((prefix, one) -> {
            if (asked.covers(prefix)) {
                found.add(one);
            }
        });
        return found;
    }

    /** All to which elections belong, each once; first the one of all that no prefix covers. */
    public Set<T> all() {
        Set<T> all = new LinkedHashSet<>();
        all.add(others);
        all.addAll(prefixes.values());
        return all;
    }

    /** What people know one of {@link #all} by: its prefixes, or {@code *} for the one of all others. Empty where there is but one. */
    public Optional<String> name(T one) {
        if (all().size() == 1) {
            return Optional.empty();
        }
        return Optional.of(
                one.equals(others)
                        ? OTHERS
                        : prefixes.entrySet().stream()
                                .filter(entry -> entry.getValue().equals(one))
                                .map(entry -> entry.getKey().text())
                                .collect(Collectors.joining(", ")));
    }

    /** The same prefixes, and for each of {@link #all} what is made of it, once. */
    public <U> PrefixMap<U> map(Function<T, U> maker) {
        Map<T, U> made = new LinkedHashMap<>();
        all().forEach(one -> made.put(one, maker.apply(one)));
        Map<Prefix, U> mapped = new TreeMap<>();
        prefixes.forEach((prefix, one) -> mapped.put(prefix, Objects.requireNonNull(made.get(one))));
        return new PrefixMap<>(Objects.requireNonNull(made.get(others)), mapped);
    }
}
