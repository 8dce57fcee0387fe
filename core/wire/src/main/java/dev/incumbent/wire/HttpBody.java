package dev.incumbent.wire;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/**
 * The bodies of HTTP/1.1 (RFC 9112, sections 6 and 7), and the lines around them, read from the connection that they came over. A body ends where it says so: what comes after it
 * on the connection stays there. Each is read by one thread, throws {@link EOFException} where the connection ends in it, and is not to be closed.
 */
public final class HttpBody {
    private static final int LONGEST_LINE = 65_536;

    private HttpBody() {}

    /** A body of that many bytes; where that is less than zero, it lasts as long as the connection. */
    public static InputStream sized(InputStream in, long length) {
        return new Sized(in, length);
    }

    /** A body in chunks, whose trailers are passed over. */
    public static InputStream chunked(InputStream in) {
        return new Chunked(in);
    }

    /** The next line, without its end; of 65,536 characters at most. */
    public static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the connection ended");
            }
            if (line.length() > LONGEST_LINE) {
                throw new IOException("a line is longer than " + LONGEST_LINE);
            }
            line.append((char) c);
        }
        int end = line.length();
        return end > 0 && line.charAt(end - 1) == '\r' ? line.substring(0, end - 1) : line.toString();
    }

    private static final class Sized extends InputStream {
        private final InputStream in;
        private final boolean isSized;
        private long left;

        Sized(InputStream in, long length) {
            this.in = in;
            this.isSized = length >= 0;
            this.left = isSized ? length : Long.MAX_VALUE;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 255;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (left == 0) {
                return -1;
            }
            int read = in.read(bytes, offset, (int) Math.min(length, left));
            if (read < 0 && isSized) {
                throw new EOFException("the connection ended in an answer");
            }
            left -= Math.max(0, read);
            return read;
        }
    }

    private static final class Chunked extends InputStream {
        private final InputStream in;
        private long left;
        private boolean begun;
        private boolean ended;

        Chunked(InputStream in) {
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 255;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (left == 0 && !ended) {
                nextChunk();
            }
            if (ended) {
                return -1;
            }
            int read = in.read(bytes, offset, (int) Math.min(length, left));
            if (read < 0) {
                throw new EOFException("the connection ended in an answer");
            }
            left -= read;
            return read;
        }

        private void nextChunk() throws IOException {
            if (begun) {
                line(in);
            }
            begun = true;
            left = size(line(in).split(";", 2)[0].strip());
            if (left == 0) {
                ended = true;
                while (!line(in).isEmpty()) {
                    // trailers say nothing to us
                }
            }
        }

        private static long size(String hex) throws IOException {
            try {
                long size = Long.parseLong(hex, 16);
                if (size >= 0) {
                    return size;
                }
            } catch (NumberFormatException e) {
                throw new IOException("a chunk has no size", e);
            }
            throw new IOException("a chunk has a size below zero");
        }
    }
}
