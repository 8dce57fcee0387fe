package dev.incumbent.fuzz;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Bytes that are no request, or a strange one, and how they are sent. The seed and the number make it again.
 *
 * @param pieces what is sent at once, each after a pause
 */
public record MalformedRequest(long seed, int number, Sort sort, List<Piece> pieces, End end) {
    private static final int SHOWN = 300;

    public MalformedRequest {
        pieces = List.copyOf(pieces);
    }

    /** Bytes that are sent at once, a character each, and the pause before them. */
    public record Piece(String bytes, int afterMillis) {}

    /** What its sender does after the last byte. */
    public enum End {
        /** Reads the answer, and closes. */
        READS,
        /** Closes its own direction at once, and reads. */
        HALF_CLOSES,
        /** Resets the connection without reading. */
        RESETS,
        /** Says nothing more, for as long as the server keeps the connection. */
        STAYS
    }

    /** All that is sent. */
    public String bytes() {
        return pieces.stream().map(Piece::bytes).collect(Collectors.joining());
    }

    /** How many bytes stand before the first empty line, or in all where there is none. */
    public int headLength() {
        String all = bytes();
        int end = all.indexOf("\r\n\r\n");
        return end < 0 ? all.length() : end;
    }

    /** What it is, and its first bytes as a person can read them. */
    @Override
    public String toString() {
        String all = bytes();
        return "request " + number + " of seed " + seed + ", " + sort + ", " + end + ", " + all.length() + " bytes in "
                + pieces.size() + " pieces: " + readable(all.substring(0, Math.min(SHOWN, all.length())));
    }

    static String readable(String bytes) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < bytes.length(); i++) {
            char c = bytes.charAt(i);
            switch (c) {
                case '\r' -> text.append("\\r");
                case '\n' -> text.append("\\n");
                case '\t' -> text.append("\\t");
                default -> text.append(c >= ' ' && c < 127 ? Character.toString(c) : String.format("\\x%02x", (int) c));
            }
        }
        return text.toString();
    }
}
