package dev.incumbent.consul;

import dev.incumbent.calls.Call;
import dev.incumbent.calls.Deadlines;
import java.net.ConnectException;
import java.net.http.HttpResponse;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateException;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** One question on its way, and what is sent of it. */
final class Exchange extends Call<Answer> {
    private final String at;
    private final Question question;

    Exchange(String at, Question question) {
        super(question.writes(), question.deadlineNanos());
        this.at = at;
        this.question = question;
    }

    Question question() {
        return question;
    }

    void limit(Deadlines deadlines) {
        limit(
                deadlines,
                "no answer from " + at + " to " + question.doing() + " within its request timeout",
                (why, mayHaveApplied) ->
                        new ConsulException(ConsulException.Kind.LATE, why, "no answer in time", mayHaveApplied),
                () -> {});
    }

    void close() {
        fail(
                at + " was left before it answered to " + question.doing(),
                (why, mayHaveApplied) ->
                        new ConsulException(ConsulException.Kind.CLOSED, why, "the client was closed", mayHaveApplied));
    }

    /** Ends with that response; where it ends before, that is broken off, and its connection with it. */
    void endsWith(CompletableFuture<HttpResponse<String>> response) {
        CompletableFuture<?> unused = response.whenComplete((it, failure) -> {
            if (failure == null) {
                arrived(it);
            } else {
                broken(failure);
            }
        });
        CompletableFuture<?> unusedToo = reply().whenComplete((answer, failure) -> response.cancel(true));
    }

    private void arrived(HttpResponse<String> response) {
        OptionalLong index = OptionalLong.empty();
        try {
            index = response.headers().firstValueAsLong("X-Consul-Index");
        } catch (NumberFormatException notConsul) {
            // Then it has no index, which whoever needs one tells.
        }
        answer(new Answer(at, question, response.statusCode(), index, response.body()));
    }

    private void broken(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        fail(told(cause).because(cause));
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
