package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.net.ssl.SSLHandshakeException;

/** What went wrong, in one sentence that names what and where; and whether what was asked may have applied. */
final class Failures {
    private final String server;
    private final String namespace;
    private final Supplier<String> credentialsTrouble;

    /** The trouble with the credentials, if any, is the end of a sentence. */
    Failures(String server, String namespace, Supplier<String> credentialsTrouble) {
        this.server = server;
        this.namespace = namespace;
        this.credentialsTrouble = credentialsTrouble;
    }

    /** The exchange failed. In doubt it may have applied: only where no connection came about was nothing sent. */
    CoordinatorException ofExchange(Ask ask, Throwable failure) {
        Throwable why = Transport.unwrapped(failure);
        if (cause(why, SSLHandshakeException.class).isPresent()) {
            return new CoordinatorUnusableException(
                    "the API server at " + server + " and this client do not trust each other: "
                            + said(cause(why, SSLHandshakeException.class).get()),
                    why);
        }
        if (cause(why, UnresolvedAddressException.class).isPresent()
                || cause(why, UnknownHostException.class).isPresent()) {
            return new CoordinatorException("the host of the API server at " + server + " is not known", false, why);
        }
        if (cause(why, ConnectException.class).isPresent()
                || cause(why, HttpConnectTimeoutException.class).isPresent()) {
            return new CoordinatorException("the API server at " + server + " cannot be reached", false, why);
        }
        String what = why instanceof TimeoutException || why instanceof java.net.http.HttpTimeoutException
                ? "did not answer in time"
                : "broke off: " + said(why);
        return new CoordinatorException("the API server at " + server + " " + what, ask.writes(), why);
    }

    /** An answer that is none of those expected. */
    CoordinatorException ofAnswer(Ask ask, Answer answer) {
        String where = "the API server at " + server;
        return switch (answer.code()) {
            case 401 ->
                new CoordinatorUnusableException(
                        where + " does not accept the credentials of the kubeconfig or the pod (401)"
                                + credentialsTrouble.get());
            case 403 -> new CoordinatorUnusableException(where + " forbids it: " + answer.message());
            case Answer.ABSENT ->
                new CoordinatorUnusableException(where + " has no leases of " + Leases.GROUP + " in the namespace "
                        + namespace + ": " + answer.message());
            default ->
                new CoordinatorException(
                        where + " answered " + answer.code() + " to " + ask.method() + ": " + answer.message(),
                        ask.writes() && !answer.isRefusal());
        };
    }

    CoordinatorException late() {
        return new CoordinatorException("the API server at " + server + " did not answer in time", false);
    }

    private static String said(Throwable failure) {
        return Optional.ofNullable(failure.getMessage())
                .orElse(failure.getClass().getSimpleName());
    }

    private static <T extends Throwable> Optional<T> cause(Throwable failure, Class<T> kind) {
        Throwable one = failure;
        for (int depth = 0; depth < 10 && one != null; depth++) {
            if (kind.isInstance(one)) {
                return Optional.of(kind.cast(one));
            }
            one = one.getCause();
        }
        return Optional.empty();
    }
}
