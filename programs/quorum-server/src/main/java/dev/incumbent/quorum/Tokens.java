package dev.incumbent.quorum;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The tokens that a node knows, and the roles that each gives. Without any, everybody may do everything. Thread-safe. Names no secret. */
public final class Tokens {
    private static final String SCHEME = "Bearer ";

    private final List<Held> all;

    private Tokens(List<Held> all) {
        this.all = List.copyOf(all);
    }

    /**
     * Tokens of the same roles.
     *
     * @param now asked with each request; several while one replaces another, the one that is shown first
     */
    public record Held(Set<Role> roles, Supplier<List<String>> now) {
        public Held {
            roles = Set.copyOf(roles);
        }

        /** Names no secret. */
        @Override
        public String toString() {
            return "tokens of " + roles;
        }
    }

    /** None: everybody is admitted to everything. */
    public static Tokens none() {
        return new Tokens(List.of());
    }

    /** These. A node shows the others the first that gives the role of a node; one that has none is refused by them. */
    public static Tokens of(List<Held> held) {
        return new Tokens(held);
    }

    /** Must whoever asks show one? */
    boolean areAsked() {
        return !all.isEmpty();
    }

    /**
     * What the header {@code Authorization} gives a right to; {@link Right#NONE} alone where its token is unknown. Every token is compared, each in a time that does not tell how much of it was guessed.
     */
    Set<Right> rights(String authorization) {
        if (!areAsked()) {
            return EnumSet.allOf(Right.class);
        }
        byte[] shown = authorization.getBytes(StandardCharsets.UTF_8);
        Set<Right> rights = EnumSet.of(Right.NONE);
        for (Held held : all) {
            for (String token : held.now().get()) {
                if (MessageDigest.isEqual((SCHEME + token).getBytes(StandardCharsets.UTF_8), shown)) {
                    held.roles().forEach(role -> rights.addAll(role.rights()));
                }
            }
        }
        return rights;
    }

    /** The header {@code Authorization} by which this node speaks to the others. */
    Optional<String> ofThisNode() {
        return all.stream()
                .filter(held -> held.roles().contains(Role.NODE))
                .findFirst()
                .map(held -> SCHEME + held.now().get().get(0));
    }
}
