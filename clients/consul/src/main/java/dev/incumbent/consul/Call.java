package dev.incumbent.consul;

import java.net.ConnectException;
import java.net.http.HttpResponse;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** One question on its way. Its reply is completed once: by the answer, at its deadline, or at the close. Thread-safe. */
final class Call {
    private final String at;
    private final Question question;
    private final CompletableFuture<Answer> reply = new CompletableFuture<>();
    private final Object lock = new Object();
    private Phase phase = Phase.WAITING;
    private Optional<CompletableFuture<?>> exchange = Optional.empty();

    private enum Phase {
        WAITING,
        SENT,
        DONE
    }

    Call(String at, Question question) {
        this.at = at;
        this.question = question;
    }

    Question question() {
        return question;
    }

    CompletionStage<Answer> reply() {
        return reply;
    }

    void whenDone(Runnable action) {
        CompletableFuture<Answer> unused = reply.whenComplete((answer, failure) -> action.run());
    }

    /** From here on nobody can tell whether it applied; false if it has ended. */
    boolean enter() {
        synchronized (lock) {
            boolean waited = phase == Phase.WAITING;
            phase = waited ? Phase.SENT : phase;
            return waited;
        }
    }

    void sent(CompletableFuture<HttpResponse<String>> response) {
        synchronized (lock) {
            exchange = Optional.of(response);
            if (phase == Phase.DONE) {
                response.cancel(true);
            }
        }
        CompletableFuture<?> unused = response.whenComplete((it, failure) -> {
            if (failure == null) {
                arrived(it);
            } else {
                broken(failure);
            }
        });
    }

    void timeOut() {
        leave().ifPresent(last -> reply.completeExceptionally(new ConsulException(
                ConsulException.Kind.LATE,
                "no answer from " + at + " to " + question.doing() + " within its request timeout",
                "no answer in time",
                last == Phase.SENT && question.writes())));
    }

    void close() {
        leave().ifPresent(last -> reply.completeExceptionally(new ConsulException(
                ConsulException.Kind.CLOSED,
                at + " was left before it answered to " + question.doing(),
                "the client was closed",
                last == Phase.SENT && question.writes())));
    }

    private void arrived(HttpResponse<String> response) {
        OptionalLong index = OptionalLong.empty();
        try {
            index = response.headers().firstValueAsLong("X-Consul-Index");
        } catch (NumberFormatException notConsul) {
            // Then it has no index, which whoever needs one tells.
        }
        Answer answer = new Answer(at, question, response.statusCode(), index, response.body());
        if (leave().isPresent()) {
            reply.complete(answer);
        }
    }

    private void broken(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (leave().isPresent()) {
            reply.completeExceptionally(told(cause).because(cause));
        }
    }

    private ConsulException told(Throwable cause) {
        if (cause instanceof ConnectException) {
            String why = whyNot(cause);
            return new ConsulException(ConsulException.Kind.UNREACHED, at + " cannot be reached: " + why, why, false);
        }
        String why = rootOf(cause);
        return isDistrust(cause)
                ? new ConsulException(
                        ConsulException.Kind.DISTRUSTED,
                        at + " has a certificate that is not trusted here (CONSUL_CACERT or ?ca-file=PATH names another"
                                + " authority): " + why,
                        why,
                        false)
                : new ConsulException(
                        ConsulException.Kind.BROKEN_OFF,
                        at + " broke off " + question.doing() + ": " + why,
                        why,
                        question.writes());
    }

    /** Ends it, once; in which phase it was. What is under way is broken off, and its connection with it. */
    private Optional<Phase> leave() {
        Optional<CompletableFuture<?>> left;
        Phase last;
        synchronized (lock) {
            last = phase;
            phase = Phase.DONE;
            left = exchange;
        }
        left.filter(it -> !it.isDone()).ifPresent(it -> it.cancel(true));
        return last == Phase.DONE ? Optional.empty() : Optional.of(last);
    }

    /** A handshake that failed for the certificate: nothing of the question was sent. */
    private static boolean isDistrust(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof CertificateException || at instanceof java.security.cert.CertPathBuilderException) {
                return true;
            }
        }
        return false;
    }

    private static String whyNot(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        if (root instanceof ClosedChannelException) {
            return "Connection refused"; // the client tries to connect twice, and the second time it has closed the
            // channel
        }
        if (root instanceof UnresolvedAddressException) {
            return "its host is unknown";
        }
        return rootOf(failure);
    }

    private static String rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }
}
