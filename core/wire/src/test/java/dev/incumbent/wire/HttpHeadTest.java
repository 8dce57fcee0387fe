package dev.incumbent.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Answers as servers write them, and what comes after them on the same connection. */
class HttpHeadTest {
    @Test
    void aBodyOfKnownLengthEndsThere() throws IOException {
        InputStream in = bytes(
                "HTTP/1.1 200 OK\r\nX-Two: a\r\ncontent-length: 5\r\nx-two: b\r\n\r\nhelloHTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n");

        HttpHead head = HttpHead.read(in, "GET");

        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.headers().allValues("X-Two")).containsExactly("a", "b");
        assertThat(text(head)).isEqualTo("hello");
        assertThat(head.isLast()).isFalse();
        assertThat(HttpHead.read(in, "GET").statusCode()).isEqualTo(404);
    }

    @Test
    void aBodyInChunksEndsWithItsTrailers() throws IOException {
        InputStream in = bytes(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nhel\r\n2\r\nlo\r\n0\r\nT: 1\r\n\r\nHTTP/1.1 204 No\r\n\r\n");

        HttpHead head = HttpHead.read(in, "POST");

        assertThat(text(head)).isEqualTo("hello");
        assertThat(head.isLast()).isFalse();
        assertThat(HttpHead.read(in, "POST").statusCode()).isEqualTo(204);
    }

    @Test
    void aBodyOfUnknownLengthEndsWithTheConnection() throws IOException {
        HttpHead head = HttpHead.read(bytes("HTTP/1.1 200 OK\r\n\r\nhello"), "GET");

        assertThat(text(head)).isEqualTo("hello");
        assertThat(head.isLast()).isTrue();
    }

    @Test
    void aConnectionThatTheServerClosesIsUsedNoMore() throws IOException {
        assertThat(HttpHead.read(bytes("HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 0\r\n\r\n"), "GET")
                        .isLast())
                .isTrue();
        assertThat(HttpHead.read(bytes("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n"), "GET")
                        .isLast())
                .isTrue();
    }

    @Test
    void anAnswerWithoutABodyHasNoneWhateverItsHeadSays() throws IOException {
        assertThat(text(HttpHead.read(bytes("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"), "HEAD")))
                .isEmpty();
        assertThat(text(HttpHead.read(bytes("HTTP/1.1 304 Same\r\nContent-Length: 5\r\n\r\n"), "GET")))
                .isEmpty();
    }

    @Test
    void whatTellsOfProgressIsSkipped() throws IOException {
        HttpHead head = HttpHead.read(
                bytes("HTTP/1.1 103 Early\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), "GET");

        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.headers().map()).doesNotContainKey("A");
    }

    @Test
    void whatIsCutOffOrNoHttpIsAFailure() throws IOException {
        HttpHead sized = HttpHead.read(bytes("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhello"), "GET");
        HttpHead chunked =
                HttpHead.read(bytes("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nhello"), "GET");

        HttpHead negative =
                HttpHead.read(bytes("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nhello"), "GET");

        assertThatThrownBy(() -> text(negative)).hasMessage("a chunk has a size below zero");
        assertThatThrownBy(() -> text(sized)).hasMessage("the connection ended in an answer");
        assertThatThrownBy(() -> text(chunked)).hasMessage("the connection ended in an answer");
        assertThatThrownBy(() -> HttpHead.read(bytes("SSH-2.0-OpenSSH\r\n\r\n"), "GET"))
                .hasMessage("the answer is no HTTP");
        assertThatThrownBy(() -> HttpHead.read(bytes("HTTP/1.1 200 OK\r\nno header\r\n\r\n"), "GET"))
                .hasMessage("the answer's head is no HTTP");
        assertThatThrownBy(() -> HttpHead.read(bytes("HTTP/1.1 200"), "GET")).hasMessage("the connection ended");
    }

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String text(HttpHead head) throws IOException {
        return new String(head.body().readAllBytes(), StandardCharsets.UTF_8);
    }
}
