package dev.incumbent.stonith;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The last of what a program has written, without the secrets that it was told. Owned by the thread that reads. */
final class OutputTail {
    private static final int LONGEST = 8_192;
    private static final int LONGEST_LINE = 300;
    private static final List<String> SECRET_NAMES =
            List.of("pass", "secret", "token", "key", "community", "private", "credential");

    private final Set<String> secrets;
    private String kept = "";
    private boolean isCut;

    OutputTail(Map<String, String> options) {
        this.secrets = options.entrySet().stream()
                .filter(option ->
                        isSecret(option.getKey()) && !option.getValue().isEmpty())
                .map(Map.Entry::getValue)
                .collect(Collectors.toSet());
    }

    /** Does an option of that name hold what nobody else may read? */
    static boolean isSecret(String option) {
        String lower = option.toLowerCase(Locale.ROOT);
        return SECRET_NAMES.stream().anyMatch(lower::contains);
    }

    /** Takes what is there, and waits for nothing. The lock is the one by which the JDK keeps readers away while it closes the stream of a process that has ended. */
    void take(InputStream output) throws IOException {
        synchronized (output) {
            for (int there = output.available(); there > 0; there = output.available()) {
                byte[] bytes = output.readNBytes(Math.min(there, LONGEST));
                kept += new String(bytes, StandardCharsets.UTF_8);
                isCut |= kept.length() > LONGEST;
                kept = kept.substring(Math.max(0, kept.length() - LONGEST));
            }
        }
    }

    /** The last line that is not blank, in at most 300 printable characters. */
    String lastLine() {
        // a line whose beginning is cut off may begin within a secret, which nothing finds any more
        String whole = isCut ? kept.substring(kept.indexOf('\n') + 1) : kept;
        String line = without(secrets, isCut && kept.indexOf('\n') < 0 ? "" : whole)
                .lines()
                .filter(one -> !one.isBlank())
                .reduce("", (former, next) -> next)
                .replaceAll("\\p{Cntrl}", " ")
                .strip();
        return line.length() <= LONGEST_LINE ? line : line.substring(0, LONGEST_LINE) + "…";
    }

    private static String without(Collection<String> secrets, String text) {
        String left = text;
        for (String secret : secrets.stream()
                .sorted(Comparator.comparing(String::length).reversed())
                .toList()) {
            left = left.replace(secret, "***");
        }
        return left;
    }
}
