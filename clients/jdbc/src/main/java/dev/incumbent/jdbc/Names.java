package dev.incumbent.jdbc;

import dev.incumbent.model.ElectionName;
import java.util.Collection;
import java.util.Map;

/** Elections as the one JSON argument of a query, for {@code json_each} or {@code json_table}. */
public final class Names {
    private Names() {}

    /** The array of some names; a name has no character that JSON escapes. */
    public static String array(Collection<ElectionName> elections) {
        StringBuilder json = new StringBuilder("[");
        for (ElectionName election : elections) {
            json.append(json.length() == 1 ? "\"" : ",\"").append(election).append('"');
        }
        return json.append(']').toString();
    }

    /** The object of some names, each with the nonce last seen. */
    public static String withNonces(Map<ElectionName, String> nonces) {
        StringBuilder json = new StringBuilder("{");
        nonces.forEach((election, nonce) -> {
            json.append(json.length() == 1 ? "\"" : ",\"").append(election).append("\":\"");
            nonce.chars().forEach(c -> append(json, (char) c));
            json.append('"');
        });
        return json.append('}').toString();
    }

    /** The array of some names, each in a pair with the nonce last seen. */
    public static String pairs(Map<ElectionName, String> nonces) {
        StringBuilder json = new StringBuilder("[");
        nonces.forEach((election, nonce) -> {
            json.append(json.length() == 1 ? "[\"" : ",[\"").append(election).append("\",\"");
            nonce.chars().forEach(c -> append(json, (char) c));
            json.append("\"]");
        });
        return json.append(']').toString();
    }

    private static void append(StringBuilder json, char c) {
        if (c < ' ' || Character.isSurrogate(c)) {
            json.append("\\u").append(Character.forDigit(c >> 12, 16)).append(Character.forDigit((c >> 8) & 15, 16));
            json.append(Character.forDigit((c >> 4) & 15, 16)).append(Character.forDigit(c & 15, 16));
        } else if (c == '"' || c == '\\') {
            json.append('\\').append(c);
        } else {
            json.append(c);
        }
    }
}
