package dev.incumbent.etcd;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The lines of a stream that goes on and on, taken from it by the piece: some are long. Used by one thread. */
final class Lines {
    private static final int PIECE = 16_384;

    private final InputStream in;
    private final int longest;
    private final byte[] piece = new byte[PIECE];
    private int at;
    private int end;

    Lines(InputStream in, int longest) {
        this.in = in;
        this.longest = longest;
    }

    /** The next one, without its end. */
    String next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int stop = takeInto(line);
        while (stop == end) {
            at = 0;
            end = in.read(piece);
            if (end < 0) {
                end = 0;
                throw new EOFException("the connection ended");
            }
            stop = takeInto(line);
        }
        at = stop + 1;
        return line.toString(StandardCharsets.UTF_8);
    }

    /** Takes what is there of the line; tells where it ends, or the end of the piece. */
    private int takeInto(ByteArrayOutputStream line) throws IOException {
        int stop = at;
        while (stop < end && piece[stop] != '\n') {
            stop++;
        }
        line.write(piece, at, stop - at);
        if (line.size() > longest) {
            throw new IOException("a line is longer than " + longest);
        }
        return stop;
    }
}
