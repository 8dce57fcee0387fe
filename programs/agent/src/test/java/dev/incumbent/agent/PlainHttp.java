package dev.incumbent.agent;

import dev.incumbent.agent.http.Listen;
import dev.incumbent.wire.Json;
import dev.incumbent.wire.JsonException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** One request a connection over a real socket, written by hand, so that any header can be sent. */
record PlainHttp(SocketAddress address, String host, List<String> headers) {
    private static final int PIECE = 8192;

    static PlainHttp to(Listen listen) {
        if (listen instanceof Listen.Unix unix) {
            return new PlainHttp(UnixDomainSocketAddress.of(unix.path()), "localhost", List.of());
        }
        Listen.Tcp tcp = (Listen.Tcp) listen;
        return new PlainHttp(new InetSocketAddress(tcp.host(), tcp.port()), tcp.toString(), List.of());
    }

    /** The status, the head and the body of an answer. */
    record Answer(int status, String head, String body) {
        Json json() {
            try {
                return Json.read(body);
            } catch (JsonException e) {
                throw new UncheckedIOException(body, e);
            }
        }

        /** The sentence of a problem. */
        String sentence() {
            return json().at("detail").text();
        }

        /** The value of a header; empty where there is none. */
        String header(String name) {
            return head.lines()
                    .filter(line -> line.regionMatches(true, 0, name + ": ", 0, name.length() + 2))
                    .map(line -> line.substring(name.length() + 2))
                    .findFirst()
                    .orElse("");
        }

        boolean isProblem() {
            return head.contains("Content-Type: application/problem+json");
        }
    }

    PlainHttp with(String header) {
        List<String> more = new ArrayList<>(headers);
        more.add(header);
        return new PlainHttp(address, host, more);
    }

    PlainHttp bearing(String token) {
        return with("Authorization: Bearer " + token);
    }

    PlainHttp forHost(String other) {
        return new PlainHttp(address, other, headers);
    }

    Answer get(String path) {
        return ask("GET", path, "");
    }

    Answer post(String path, String body) {
        return ask("POST", path, body);
    }

    Answer delete(String path) {
        return ask("DELETE", path, "");
    }

    Answer ask(String method, String path, String body) {
        StringBuilder text = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\n");
        headers.forEach(header -> text.append(header).append("\r\n"));
        text.append("Connection: close\r\nContent-Length: ")
                .append(body.length())
                .append("\r\n\r\n")
                .append(body);
        try (SocketChannel channel = SocketChannel.open(address)) {
            ByteBuffer out = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
            while (out.hasRemaining()) {
                channel.write(out);
            }
            Answer answer = answer(read(channel));
            Description.hold(method, path, answer);
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(SocketChannel channel) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer piece = ByteBuffer.allocate(PIECE);
        while (channel.read(piece) >= 0) {
            all.write(piece.array(), 0, piece.position());
            piece.clear();
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    private static Answer answer(String text) {
        int end = text.indexOf("\r\n\r\n");
        String head = text.substring(0, end);
        return new Answer(Integer.parseInt(head.split(" ", 3)[1]), head, text.substring(end + 4));
    }
}
