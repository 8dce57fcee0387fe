package dev.incumbent.fence.http;

import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import dev.incumbent.wire.BoundedBody;
import dev.incumbent.wire.Secret;
import dev.incumbent.wire.SecretFile;
import dev.incumbent.wire.StoreUri;
import dev.incumbent.wire.UriException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** A fenced HTTP service, as leaders and operators see it. The secret is taken from {@code INCUMBENT_HTTP_SECRET}, or by {@code ?secret-file=PATH}. */
final class HttpSink implements Sink {
    private static final String VARIABLE = "INCUMBENT_HTTP_SECRET";
    private static final String PARAMETER = "secret-file";
    private static final int USUAL_PORT = 80;
    /** Some hundred thousand marks. */
    private static final int LONGEST_ANSWER = 32 << 20;

    private final String base;
    private final Supplier<Optional<String>> secret;
    private final Duration bound;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private volatile boolean closed;

    private HttpSink(String base, Supplier<Optional<String>> secret, Duration bound) {
        this.base = base;
        this.secret = secret;
        this.bound = bound;
    }

    static HttpSink of(String url, Map<String, String> environment, Duration bound) {
        try {
            StoreUri uri = StoreUri.parse(url);
            if (uri.hosts(USUAL_PORT).size() != 1) {
                throw uri.refused("a fenced service is one host");
            }
            if (uri.user().isPresent() || uri.password().isPresent()) {
                throw uri.refused(
                        "it names no user: its secret is taken from " + VARIABLE + " or ?" + PARAMETER + "=PATH");
            }
            Supplier<Optional<String>> secret =
                    uri.parameters().take(PARAMETER).map(HttpSink::contents).orElseGet(() -> variable(environment));
            uri.parameters().refuseOthers();
            return new HttpSink(place(url, uri), secret, bound);
        } catch (UriException e) {
            throw new SinkException("the sink " + e.getMessage() + "; write http://HOST:PORT/PATH");
        }
    }

    private static Supplier<Optional<String>> variable(Map<String, String> environment) {
        Optional<String> secret = Optional.ofNullable(environment.get(VARIABLE))
                .filter(text -> !text.isEmpty())
                .map(text -> Secret.in(VARIABLE, text));
        return () -> secret;
    }

    /** As it was written, escapes and all, but for parameters and a slash at the end. */
    private static String place(String url, StoreUri uri) {
        String place = url.replaceFirst("\\?.*", "").replaceFirst("/$", "");
        try {
            URI checked = URI.create(place);
            return checked.toString();
        } catch (IllegalArgumentException e) {
            throw uri.refused("its path has a character that is to be escaped");
        }
    }

    /** What the file says whenever it is asked: a secret is changed there while we run. */
    private static Supplier<Optional<String>> contents(String file) {
        try {
            SecretFile secret = SecretFile.of(Path.of(file));
            return () -> Optional.of(secret.now());
        } catch (IOException e) {
            throw new SinkException("the secret file " + file + " cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public CompletionStage<SinkId> id() {
        return listed().thenApply(Listed::id);
    }

    @Override
    public String label() {
        return base;
    }

    @Override
    public CompletionStage<Raise> raise(ElectionName election, Mark mark) {
        String doing = "raising " + election + " to " + mark;
        return send("PUT", Paths.ONE + election, MarkText.of(mark), doing)
                .thenApply(answer -> raise(answer, mark, doing));
    }

    private Raise raise(HttpResponse<String> answer, Mark asked, String doing) {
        try {
            return switch (answer.statusCode()) {
                case Reply.OK -> new Raise.Raised(requireEqual(MarkText.read(answer.body()), asked));
                case Reply.CONFLICT -> new Raise.Refused(MarkText.read(answer.body()));
                case Reply.UNPROCESSABLE ->
                    new Raise.TooFar(Long.parseLong(answer.body().strip()));
                default -> throw refused(answer, doing);
            };
        } catch (IllegalArgumentException notOfAFence) {
            throw refused(answer, doing);
        }
    }

    /** Whoever answers 200 to everything is no fence. */
    private static Mark requireEqual(Mark told, Mark asked) {
        if (!told.equals(asked)) {
            throw new IllegalArgumentException("raised to " + told + " instead of " + asked);
        }
        return told;
    }

    @Override
    public CompletionStage<MarksRead> marks(Set<ElectionName> elections) {
        Set<ElectionName> asked = Set.copyOf(elections);
        return marks().thenApply(read -> read.only(asked));
    }

    @Override
    public CompletionStage<MarksRead> marks() {
        return listed().thenApply(Listed::marks);
    }

    @Override
    public void close() {
        closed = true;
    }

    /** What a service tells of its fence, a line each. */
    private record Listed(SinkId id, MarksRead marks) {}

    private CompletionStage<Listed> listed() {
        String doing = "reading its marks";
        return send("GET", Paths.ALL, "", doing).thenApply(answer -> {
            if (answer.statusCode() != Reply.OK) {
                throw refused(answer, doing);
            }
            try {
                return read(answer.body());
            } catch (IllegalArgumentException notOfAFence) {
                throw refused(answer, doing);
            }
        });
    }

    private static Listed read(String body) {
        MarksRead.Gathered marks = new MarksRead.Gathered();
        String id = "";
        for (String line : body.lines().toList()) {
            String[] words = line.split(" ", 3);
            if (words[0].equals("id") && words.length == 2) {
                id = words[1];
            } else if (words[0].equals("mark") && words.length == 3) {
                marks.add(words[1], () -> Optional.of(MarkText.read(words[2])));
            } else if (words[0].equals("unreadable") && words.length == 3) {
                marks.add(words[1], () -> {
                    throw new IllegalArgumentException(words[2]);
                });
            } else {
                throw new IllegalArgumentException(line);
            }
        }
        return new Listed(new SinkId(id), marks.told());
    }

    private CompletionStage<HttpResponse<String>> send(String method, String path, String body, String doing) {
        if (closed) {
            return CompletableFuture.failedFuture(new SinkException(label() + " is closed"));
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(bound)
                .setHeader(Patience.HEADER, Long.toString(bound.toMillis()))
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body));
        secret.get().ifPresent(it -> request.setHeader("Authorization", "Bearer " + it));
        CompletableFuture<HttpResponse<String>> sent =
                client.sendAsync(request.build(), BoundedBody.ofAtMost(LONGEST_ANSWER));
        return sent.copy().orTimeout(bound.toNanos(), TimeUnit.NANOSECONDS).handle((answer, failure) -> {
            if (failure != null) {
                sent.cancel(true); // or whoever answers slowly and for ever keeps a connection for each question
                throw unanswered(doing, failure);
            }
            return answer;
        });
    }

    private SinkException unanswered(String doing, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof TimeoutException || cause instanceof HttpTimeoutException) {
            return new SinkException(label() + ": " + doing + " gave up after " + bound.toMillis() + " ms", cause);
        }
        return new SinkException(label() + ": " + doing + " got no answer: " + cause, cause);
    }

    private SinkException refused(HttpResponse<String> answer, String doing) {
        boolean isOfAFence = answer.headers().firstValue(Reply.HEADER).isPresent();
        return new SinkException(label() + ": " + doing + " was answered " + answer.statusCode()
                + (isOfAFence
                        ? ": " + answer.body().strip()
                        : ", which is no fence's answer; is its filter in front of " + Paths.ALL + "?"));
    }
}
