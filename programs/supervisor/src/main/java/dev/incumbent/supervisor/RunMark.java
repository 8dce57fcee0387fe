package dev.incumbent.supervisor;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** The mark in the environment of a command and all it starts, by which stragglers are found. Immutable. */
record RunMark(String value) {
    /** The variable that carries the mark. */
    static final String VARIABLE = "INCUMBENT_RUN_ID";

    static RunMark fresh() {
        return new RunMark(UUID.randomUUID().toString());
    }

    /** Whether an environment, as the kernel shows it, carries this mark. */
    boolean isIn(byte[] environment) {
        return new String(environment, StandardCharsets.ISO_8859_1).contains(VARIABLE + "=" + value);
    }
}
