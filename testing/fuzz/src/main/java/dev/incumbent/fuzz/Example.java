package dev.incumbent.fuzz;

import java.util.ArrayList;
import java.util.List;

/**
 * A request that a server understands, of which malformed ones are made. In all texts a character is a byte (ISO 8859-1).
 *
 * @param headers a line each, without those that tell the length of the body
 */
public record Example(String method, String path, List<String> headers, String body) {
    static final String AUTHORIZATION = "Authorization: ";
    private static final String HOST = "Host: localhost";
    private static final String END = "\r\n";

    public Example {
        headers = List.copyOf(headers);
    }

    /** With those headers. */
    public static Example of(String method, String path, String body, String... headers) {
        List<String> all = new ArrayList<>(List.of(HOST));
        all.addAll(List.of(headers));
        return new Example(method, path, all, body);
    }

    /** With that token. */
    public static Example by(String token, String method, String path, String body) {
        return of(method, path, body, AUTHORIZATION + "Bearer " + token);
    }

    /** As it is sent. */
    public String text() {
        return head(firstLine(), headers, body.isEmpty() ? List.of() : List.of(length(body.length()))) + body;
    }

    String firstLine() {
        return method + " " + path + " HTTP/1.1";
    }

    static String length(Object bytes) {
        return "Content-Length: " + bytes;
    }

    /** All lines up to the body. */
    static String head(String firstLine, List<String> headers, List<String> more) {
        StringBuilder text = new StringBuilder(firstLine).append(END);
        headers.forEach(header -> text.append(header).append(END));
        more.forEach(header -> text.append(header).append(END));
        return text.append(END).toString();
    }

    /** Its first line and headers with those besides, and that after them. */
    String with(List<String> more, String after) {
        return head(firstLine(), headers, more) + after;
    }

    Example at(String otherPath) {
        return new Example(method, otherPath, headers, body);
    }

    Example withMethod(String other) {
        return new Example(other, path, headers, body);
    }

    Example withBody(String other) {
        return new Example(method, path, headers, other);
    }

    Example withHeaders(List<String> others) {
        return new Example(method, path, others, body);
    }

    /** With that header besides. */
    public Example withHeader(String more) {
        List<String> all = new ArrayList<>(headers);
        all.add(more);
        return withHeaders(all);
    }

    /** Without a token. */
    Example ofNobody() {
        return withHeaders(headers.stream()
                .filter(header -> !header.startsWith(AUTHORIZATION))
                .toList());
    }

    boolean showsToken() {
        return headers.stream().anyMatch(header -> header.startsWith(AUTHORIZATION));
    }

    /** The value of its header Authorization; that of nobody where it has none. */
    String authorization() {
        return headers.stream()
                .filter(header -> header.startsWith(AUTHORIZATION))
                .map(header -> header.substring(AUTHORIZATION.length()))
                .findFirst()
                .orElse("Bearer nobody");
    }
}
