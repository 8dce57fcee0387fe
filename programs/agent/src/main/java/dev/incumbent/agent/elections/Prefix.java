package dev.incumbent.agent.elections;

import dev.incumbent.model.ElectionName;
import java.util.Optional;

/** Elections that belong together, as text: {@code NAME/} is all beneath it, and a plain {@code NAME} is that one. */
public record Prefix(String text) implements Comparable<Prefix> {
    private static final String BENEATH = "/";

    /** Refuses what is neither; its message does not repeat the text. */
    public Prefix {
        String name = text.endsWith(BENEATH) ? text.substring(0, text.length() - 1) : text;
        if (ElectionName.ifLegal(name).isEmpty()) {
            throw new IllegalArgumentException("a prefix is the name of an election, or NAME/ for all beneath it");
        }
    }

    /** The prefix that is written so; empty where the text is none. */
    public static Optional<Prefix> ifLegal(String text) {
        try {
            return Optional.of(new Prefix(text));
        } catch (IllegalArgumentException illegal) {
            return Optional.empty();
        }
    }

    /** Is that election one of these? */
    public boolean covers(ElectionName election) {
        return text.endsWith(BENEATH)
                ? election.value().startsWith(text)
                : election.value().equals(text);
    }

    /** Are all elections of the other one of these, too? */
    boolean covers(Prefix other) {
        return text.equals(other.text) || (text.endsWith(BENEATH) && other.text.startsWith(text));
    }

    @Override
    public int compareTo(Prefix other) {
        return text.compareTo(other.text);
    }

    @Override
    public String toString() {
        return text;
    }
}
