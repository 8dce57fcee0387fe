package dev.incumbent.fence.http;

import dev.incumbent.fuzz.Example;
import java.util.List;

/** Requests that a fence understands. None bears a token that is in force; those that show the secret raise the mark of an election that nobody leads. */
final class FenceExamples {
    /** What stands in the secret, also where it is nearly right. */
    static final String CORE = "Rp6WkDnB";

    static final String SECRET = "secret-" + CORE + "-of-the-fence";
    private static final String BODY = "fuzz\ncommit\n";
    private static final String OFFICE = "Fencing-Token: " + ServiceMain.OFFICE + "=";
    private static final String MARKS = Paths.ALL;

    private FenceExamples() {}

    static List<Example> all() {
        return List.of(
                Example.of("POST", "/ledger", BODY),
                Example.of("POST", "/ledger", BODY, OFFICE + "1"),
                Example.of("POST", "/ledger", BODY, OFFICE + "99999"),
                Example.of("PUT", "/ledger/x", BODY, OFFICE + "4000000000"),
                Example.of("DELETE", "/ledger", "", OFFICE + "55"),
                Example.of("GET", "/ledger", ""),
                Example.of("GET", MARKS, ""),
                Example.by(SECRET, "GET", MARKS, ""),
                Example.by(SECRET, "PUT", Paths.ONE + ServiceMain.OTHER, "8 operator:me@host"),
                Example.by(SECRET, "PUT", Paths.ONE + "fuzz/unknown", "8 operator:me@host"),
                Example.of("PUT", Paths.ONE + ServiceMain.OFFICE, "2000000 operator:me@host"),
                Example.by("nobody", "PUT", Paths.ONE + ServiceMain.OFFICE, "2000000 operator:me@host")
                        .withHeader("Fencing-Patience: 100"));
    }
}
