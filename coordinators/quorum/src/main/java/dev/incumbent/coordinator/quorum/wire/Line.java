package dev.incumbent.coordinator.quorum.wire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One line of fields: separated by tabs, with {@code \t}, {@code \n}, {@code \r} and {@code \\} for what a field may not hold as it is. So a
 * person can read it, and a record's JSON stands in it unchanged, save for its backslashes.
 */
public final class Line {
    private Line() {}

    /** The line of at least one field. */
    public static String of(String... fields) {
        return of(Arrays.asList(fields));
    }

    /** The line of at least one field. */
    public static String of(List<String> fields) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < fields.size(); i++) {
            if (i > 0) {
                line.append('\t');
            }
            append(line, fields.get(i));
        }
        return line.toString();
    }

    /** The fields of a line; a backslash before anything else stands for what follows it. */
    public static List<String> fields(String line) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '\t') {
                fields.add(field.toString());
                field.setLength(0);
            } else if (c == '\\' && i + 1 < line.length()) {
                field.append(unescaped(line.charAt(++i)));
            } else {
                field.append(c);
            }
        }
        fields.add(field.toString());
        return fields;
    }

    /** The lines of a body, each of which ends in a line feed. */
    public static List<String> lines(String body) {
        return body.lines().toList();
    }

    /** The body of lines. */
    public static String body(List<String> lines) {
        return lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
    }

    private static void append(StringBuilder line, String field) {
        for (int i = 0; i < field.length(); i++) {
            char c = field.charAt(i);
            switch (c) {
                case '\t' -> line.append("\\t");
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                case '\\' -> line.append("\\\\");
                default -> line.append(c);
            }
        }
    }

    private static char unescaped(char c) {
        return switch (c) {
            case 't' -> '\t';
            case 'n' -> '\n';
            case 'r' -> '\r';
            default -> c;
        };
    }
}
