package dev.incumbent.model;

import java.util.Map;

/** The one bound of the fields that a later version wrote and this one carries through, name to raw JSON. */
final class Unknown {
    private static final int MOST = 16;
    private static final int LONGEST_IN_A_PART = 2_048;
    private static final int LONGEST_IN_A_RECORD = 16_384;

    private Unknown() {}

    static Map<String, String> inAPart(String part, Map<String, String> fields) {
        return checked(part, fields, LONGEST_IN_A_PART);
    }

    static Map<String, String> inARecord(Map<String, String> fields) {
        return checked("a record", fields, LONGEST_IN_A_RECORD);
    }

    private static Map<String, String> checked(String where, Map<String, String> fields, int longest) {
        if (fields.size() > MOST) {
            throw new IllegalArgumentException(where + " has at most " + MOST
                    + " fields that this version does not know, this one has " + fields.size());
        }
        int length = 0;
        for (Map.Entry<String, String> field : fields.entrySet()) {
            length += field.getKey().length() + field.getValue().length();
        }
        if (length > longest) {
            throw new IllegalArgumentException("the fields of " + where
                    + " that this version does not know have at most " + longest + " characters, these have " + length);
        }
        return Sorted.copyOf(fields);
    }

    /** In at most so many characters these fields are written. */
    static int written(Map<String, String> fields) {
        int length = 0;
        for (Map.Entry<String, String> field : fields.entrySet()) {
            length += Words.written(field.getKey()) + field.getValue().length() + 4;
        }
        return length;
    }
}
