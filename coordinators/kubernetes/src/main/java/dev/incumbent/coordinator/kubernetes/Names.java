package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The names of our objects. An election whose name is legal in Kubernetes keeps it; of any other the legal part is kept, for people, and a
 * hash of the whole. No election's name looks like another's hash, nor like a session or a candidate. The real name stands in an annotation.
 */
final class Names {
    private static final Pattern LEGAL =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final Pattern HASHED = Pattern.compile(".*-x[0-9a-f]{16}");
    private static final Pattern SESSION = Pattern.compile("session-[0-9a-f]{16}-x[0-9a-f]{16}");
    private static final int LONGEST_PLAIN = 200;
    private static final int LONGEST_SLUG = 180;

    private Names() {}

    static String of(ElectionName election) {
        String name = election.value();
        boolean isPlain = name.length() <= LONGEST_PLAIN
                && LEGAL.matcher(name).matches()
                && !HASHED.matcher(name).matches();
        return isPlain ? name : slug(name, LONGEST_SLUG) + "-x" + hash(name).substring(0, 16);
    }

    static String of(ElectionName election, CandidateId candidate) {
        String hash = hash(election + "\n" + candidate).substring(0, 16);
        return slug(election.value(), 90) + "-" + slug(candidate.value(), 90) + "-x" + hash;
    }

    /** A value of a label, by which an election's candidates are found: the real name need not be legal there. */
    static String label(ElectionName election) {
        return hash(election.value()).substring(0, 32);
    }

    /** An id that was never granted before. */
    static LeaseId freshSession() {
        String random = UUID.randomUUID().toString().replace("-", "");
        return new LeaseId("session-" + random.substring(0, 16) + "-x" + random.substring(16));
    }

    /** Can it be one of ours? */
    static boolean isSession(LeaseId id) {
        return SESSION.matcher(id.value()).matches();
    }

    private static String slug(String name, int longest) {
        String legal =
                name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-+|-+$", "");
        String cut = legal.substring(0, Math.min(longest, legal.length())).replaceAll("-+$", "");
        return cut.isEmpty() ? "e" : cut;
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
