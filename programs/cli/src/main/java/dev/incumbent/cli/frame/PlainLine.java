package dev.incumbent.cli.frame;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A command line that needs no parser: the name of a verb, flags from a given list, each with a value, and at most one operand.
 *
 * <p>To build picocli's model of a single verb takes longer than all else that a {@code status} does. So a verb that is asked often reads such
 * lines by itself. Whatever is unusual, such as a wish for help, a mistake, a flag that is given twice, or a character that a parser may
 * interpret, is no plain line, and picocli reads it. {@code PlainLineTest} compares the two.
 */
public final class PlainLine {
    private static final String AT = "--at";

    private final Map<String, String> values;
    private final Optional<String> operand;

    private PlainLine(Map<String, String> values, Optional<String> operand) {
        this.values = values;
        this.operand = operand;
    }

    /**
     * Reads a line, or leaves it to the parser (empty).
     *
     * @param flags the flags of the verb, under each of their names, by their longest names
     */
    public static Optional<PlainLine> of(Surroundings around, Map<String, String> flags, String... args) {
        Map<String, String> values = new HashMap<>();
        Optional<String> operand = Optional.empty();
        // The first word is the verb, unless --at URI stands before it.
        int i = args[0].equals(AT) ? 0 : 1;
        int verb = args[0].equals(AT) ? 2 : 0;
        for (; i < args.length; i++) {
            String word = args[i];
            int equals = word.startsWith("--") ? word.indexOf('=') : -1;
            String flag = flags.get(equals < 0 ? word : word.substring(0, equals));
            if (flag != null) {
                String value = equals >= 0 ? word.substring(equals + 1) : ++i < args.length ? args[i] : "";
                if (!isPlain(value) || values.put(flag, value) != null) {
                    return Optional.empty();
                }
            } else if (i != verb) {
                if (!isPlain(word) || operand.isPresent()) {
                    return Optional.empty();
                }
                operand = Optional.of(word);
            }
        }
        for (String flag : flags.values()) {
            Optional<String> variable =
                    around.variable(FlagVariables.nameOf(flag)).filter(set -> !values.containsKey(flag));
            if (variable.isPresent()) {
                if (!isPlain(variable.get())) {
                    return Optional.empty();
                }
                values.put(flag, variable.get());
            }
        }
        return Optional.of(new PlainLine(values, operand));
    }

    /** The value that a flag was given, by the line or by its variable. */
    public Optional<String> value(String flag) {
        return Optional.ofNullable(values.get(flag));
    }

    /** The word that is neither a flag nor a value. */
    public Optional<String> operand() {
        return operand;
    }

    /** A word that no parser takes for anything but itself. */
    private static boolean isPlain(String word) {
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            boolean isLetterOrDigit = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!isLetterOrDigit && (i == 0 ? "/._" : "/._-:+,=?&~").indexOf(c) < 0) {
                return false;
            }
        }
        return !word.isEmpty();
    }
}
