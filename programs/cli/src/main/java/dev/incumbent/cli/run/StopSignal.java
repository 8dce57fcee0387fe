package dev.incumbent.cli.run;

import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** A signal by its name or its number, as {@code kill} takes it. */
record StopSignal(int number) {
    private static final Map<String, Integer> NUMBERS =
            Map.of("HUP", 1, "INT", 2, "QUIT", 3, "ABRT", 6, "KILL", 9, "USR1", 10, "USR2", 12, "ALRM", 14, "TERM", 15);
    private static final int GREATEST = 64;

    static StopSignal parse(String text) {
        String name = text.toUpperCase(Locale.ROOT).replaceFirst("^SIG", "");
        Integer known = NUMBERS.get(name);
        if (known != null) {
            return new StopSignal(known);
        }
        if (name.matches("[0-9]{1,2}")) {
            int number = Integer.parseInt(name);
            if (number >= 1 && number <= GREATEST) {
                return new StopSignal(number);
            }
        }
        throw new IllegalArgumentException("'" + text + "' is no signal; signals are 1 to " + GREATEST + ", or one of "
                + String.join(", ", new TreeSet<>(NUMBERS.keySet())));
    }
}
