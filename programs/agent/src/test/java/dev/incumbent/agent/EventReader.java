package dev.incumbent.agent;

import dev.incumbent.wire.Json;
import dev.incumbent.wire.JsonException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** A stream of events, read by a thread of its own. Each event is held to the agent's description. Thread-safe. */
final class EventReader implements AutoCloseable {
    private static final int PIECE = 8192;

    private final SocketChannel channel;
    private final Thread thread = new Thread(this::read, "reader");
    private volatile String text = "";
    private volatile boolean isEnded;

    /** One event; its id is empty where it has none. */
    record Event(OptionalLong id, String name, String data) {
        Json json() {
            try {
                return Json.read(data);
            } catch (JsonException e) {
                throw new UncheckedIOException(data, e);
            }
        }

        long token() {
            return json().at("token").number();
        }

        /** Such as {@code leader 14 host-1}, {@code leader 15 -} or {@code lost 7}. */
        @Override
        public String toString() {
            if (!name.equals("leader")) {
                return name + " " + token();
            }
            Json leader = json().at("leader");
            boolean isVacant = leader.kind() == Json.Kind.NULL;
            return "leader " + id.orElseThrow() + " "
                    + (isVacant ? "-" : leader.at("name").text());
        }
    }

    private EventReader(SocketChannel channel) {
        this.channel = channel;
        thread.setDaemon(true);
        thread.start();
    }

    /** Follows an election. */
    static EventReader of(PlainHttp http, String election, String... headers) {
        return new EventReader(ask(http, election, headers));
    }

    /** Asks, and reads nothing. */
    static SocketChannel ask(PlainHttp http, String election, String... headers) {
        StringBuilder head = new StringBuilder("GET /v1/elections/" + election.replace("/", "%2F")
                + " HTTP/1.1\r\nHost: " + http.host() + "\r\nAccept: text/event-stream\r\n");
        http.headers().forEach(header -> head.append(header).append("\r\n"));
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        try {
            SocketChannel channel = SocketChannel.open(http.address());
            ByteBuffer out = ByteBuffer.wrap(head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
            while (out.hasRemaining()) {
                channel.write(out);
            }
            return channel;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        ByteBuffer piece = ByteBuffer.allocate(PIECE);
        StringBuilder all = new StringBuilder();
        try {
            while (channel.read(piece) >= 0) {
                all.append(new String(piece.array(), 0, piece.position(), StandardCharsets.ISO_8859_1));
                text = all.toString();
                piece.clear();
            }
        } catch (IOException reset) {
            // It has ended, too.
        }
        isEnded = true;
    }

    String head() {
        int end = text.indexOf("\r\n\r\n");
        return end < 0 ? "" : text.substring(0, end);
    }

    /** All that came so far, without the chunks' heads. */
    private String body() {
        StringBuilder body = new StringBuilder();
        String all = text;
        int at = all.indexOf("\r\n\r\n") + 4;
        for (int line = all.indexOf("\r\n", at); line > at; line = all.indexOf("\r\n", at)) {
            int length = Integer.parseInt(all.substring(at, line), 16);
            if (line + 2 + length > all.length()) {
                break;
            }
            body.append(all, line + 2, line + 2 + length);
            at = line + 2 + length + 2;
        }
        return new String(body.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    /** Those that have come. */
    List<Event> events() {
        List<Event> events = new ArrayList<>();
        String all = body();
        for (String block : all.substring(0, all.lastIndexOf("\n\n") + 1).split("\n\n", -1)) {
            if (!block.isBlank() && !block.startsWith(":")) {
                events.add(event(block));
            }
        }
        return events;
    }

    private static Event event(String block) {
        String name = field(block, "event");
        String id = field(block, "id");
        Event event = new Event(
                id.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(id)), name, field(block, "data"));
        Description.holdEvent(name, event.data());
        return event;
    }

    private static String field(String block, String name) {
        return block.lines()
                .filter(line -> line.startsWith(name + ": "))
                .map(line -> line.substring(name.length() + 2))
                .collect(Collectors.joining());
    }

    /** As {@link Event#toString} tells them. */
    List<String> told() {
        return events().stream().map(Event::toString).toList();
    }

    /** Those of some names alone. */
    List<String> told(String... names) {
        return events().stream()
                .filter(event -> List.of(names).contains(event.name()))
                .map(Event::toString)
                .toList();
    }

    /** Waits for that one. */
    void await(String told) {
        try {
            Await.until(told, () -> told().contains(told));
        } catch (AssertionError late) {
            throw new AssertionError(late.getMessage() + "; told " + told() + "; came: " + text, late);
        }
    }

    /** The id of the last event that has one. */
    long lastId() {
        return events().stream()
                .flatMapToLong(event -> event.id().stream())
                .reduce((earlier, later) -> later)
                .orElseThrow();
    }

    /** Has an event of that id come? Looks at what came as it came. */
    boolean hasHeard(long id) {
        return text.contains("id: " + id + "\n");
    }

    /** How many lines of comment have come. */
    int signs() {
        return (int) body().lines().filter(line -> line.startsWith(":")).count();
    }

    /** Has the agent ended it? */
    boolean isEnded() {
        return isEnded;
    }

    /** Has all come that was to come, and not a part of it? */
    boolean isWhole() {
        return isEnded && text.endsWith("\r\n0\r\n\r\n");
    }

    @Override
    public void close() {
        try {
            channel.close();
            thread.join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
