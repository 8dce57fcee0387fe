package dev.incumbent.telling.conflict;

import dev.incumbent.model.ElectionName;
import dev.incumbent.telling.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Two views of one election that cannot both be true. Immutable.
 *
 * @param about the id of the sink that it is about; empty where it is about none
 * @param evidence what each view says
 * @param isCertain the views cannot come from one sound election, in whatever order they were read. Otherwise an operation under way explains them, unless they last
 */
public record Conflict(
        ConflictKind kind, ElectionName election, String about, List<Evidence> evidence, boolean isCertain) {
    public Conflict {
        evidence = List.copyOf(evidence);
    }

    /** What one view says, for people: such as {@code record}: {@code term 4}. Texts of stores are cut to {@link #LONGEST_TEXT} characters, and what cannot be printed becomes {@code U+FFFD}. */
    public record Evidence(String source, String value) {
        /** Of a source and of a value, in characters. */
        public static final int LONGEST_TEXT = 200;

        private static final int REPLACEMENT = 0xFFFD;
        private static final Set<Integer> ODD = Set.of(
                (int) Character.CONTROL,
                (int) Character.FORMAT,
                (int) Character.LINE_SEPARATOR,
                (int) Character.PARAGRAPH_SEPARATOR,
                (int) Character.SURROGATE);

        public Evidence {
            source = plain(source);
            value = plain(value);
        }

        private static String plain(String text) {
            StringBuilder plain = new StringBuilder();
            text.codePoints()
                    .limit(LONGEST_TEXT + 1L)
                    .map(one -> ODD.contains(Character.getType(one)) ? REPLACEMENT : one)
                    .forEach(plain::appendCodePoint);
            return plain.codePointCount(0, plain.length()) <= LONGEST_TEXT
                    ? plain.toString()
                    : plain.substring(0, plain.offsetByCodePoints(0, LONGEST_TEXT)) + "…";
        }
    }

    /** Of which conflicts there is one at a time. */
    public record Key(ElectionName election, ConflictKind kind, String about) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int byName = election.compareTo(other.election);
            int byKind = byName != 0 ? byName : kind.compareTo(other.kind);
            return byKind != 0 ? byKind : about.compareTo(other.about);
        }
    }

    public Key key() {
        return new Key(election, kind, about);
    }

    /** The same, which is believed only where it lasts. */
    public Conflict uncertain() {
        return new Conflict(kind, election, about, evidence, false);
    }

    /** Names the election, what each view says, and what can be done. */
    public String sentence() {
        String values =
                evidence.stream().map(one -> one.source() + ": " + one.value()).collect(Collectors.joining("; "));
        return election + ": " + values + "; " + kind.advice();
    }

    /** Its fields, in an object to which more may be added. */
    public JsonObject json() {
        return new JsonObject()
                .put("kind", kind.word())
                .put("election", election.value())
                .put("about", about)
                .put("sentence", sentence())
                .put(
                        "evidence",
                        evidence.stream()
                                .map(one -> new JsonObject()
                                        .put("source", one.source())
                                        .put("value", one.value()))
                                .toList());
    }
}
