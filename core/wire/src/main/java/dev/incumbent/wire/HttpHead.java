package dev.incumbent.wire;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The head of an answer over HTTP/1.1, and its body, which is still to be read.
 *
 * @param isLast the connection ends with this answer
 */
record HttpHead(int statusCode, HttpHeaders headers, InputStream body, boolean isLast)
        implements HttpResponse.ResponseInfo {
    private static final int MOST_LINES = 1_000;
    private static final int CONTINUE = 100;
    private static final int OK = 200;
    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;

    /** Reads one; those before it that only tell of progress are skipped. */
    static HttpHead read(InputStream in, String method) throws IOException {
        String first = HttpBody.line(in);
        Map<String, List<String>> lines = headers(in);
        int status = status(first);
        if (status >= CONTINUE && status < OK) {
            return read(in, method);
        }
        HttpHeaders headers = HttpHeaders.of(lines, (name, value) -> true);
        boolean isChunked = headers.firstValue("Transfer-Encoding")
                .map(it -> it.toLowerCase(Locale.ROOT).contains("chunked"))
                .orElse(false);
        boolean isEmpty = method.equals("HEAD") || status == NO_CONTENT || status == NOT_MODIFIED;
        long length = isEmpty ? 0 : length(headers);
        InputStream body = isChunked && !isEmpty ? HttpBody.chunked(in) : HttpBody.sized(in, length);
        boolean isLast = first.startsWith("HTTP/1.0")
                || headers.allValues("Connection").stream().anyMatch(it -> it.equalsIgnoreCase("close"))
                || (!isChunked && length < 0);
        return new HttpHead(status, headers, body, isLast);
    }

    @Override
    public HttpClient.Version version() {
        return HttpClient.Version.HTTP_1_1;
    }

    private static int status(String line) throws IOException {
        String[] words = line.split(" ", 3);
        if (words.length < 2 || !words[0].startsWith("HTTP/1.") || !words[1].matches("[0-9]{3}")) {
            throw new IOException("the answer is no HTTP");
        }
        return Integer.parseInt(words[1]);
    }

    private static Map<String, List<String>> headers(InputStream in) throws IOException {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        int count = 0;
        for (String line = HttpBody.line(in); !line.isEmpty(); line = HttpBody.line(in)) {
            int colon = line.indexOf(':');
            if (colon <= 0 || ++count > MOST_LINES) {
                throw new IOException("the answer's head is no HTTP");
            }
            headers.computeIfAbsent(line.substring(0, colon).strip(), name -> new ArrayList<>())
                    .add(line.substring(colon + 1).strip());
        }
        return headers;
    }

    /** Less than zero where it is not told. */
    private static long length(HttpHeaders headers) throws IOException {
        try {
            return headers.firstValueAsLong("Content-Length").orElse(-1);
        } catch (NumberFormatException e) {
            throw new IOException("the answer's length is no number", e);
        }
    }
}
