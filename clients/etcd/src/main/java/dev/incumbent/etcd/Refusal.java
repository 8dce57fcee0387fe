package dev.incumbent.etcd;

import dev.incumbent.etcd.EtcdException.Kind;
import dev.incumbent.wire.Json;
import java.io.IOException;

/** What etcd says when it does not do what it was asked, and what that means. */
final class Refusal {
    private static final int INVALID_ARGUMENT = 3;
    private static final int NOT_FOUND = 5;
    private static final int PERMISSION_DENIED = 7;
    private static final int RESOURCE_EXHAUSTED = 8;
    private static final int FAILED_PRECONDITION = 9;
    private static final int UNIMPLEMENTED = 12;
    private static final int UNAUTHENTICATED = 16;

    private Refusal() {}

    static EtcdException of(String where, int status, String text) {
        try {
            Json answer = Json.read(text);
            Json error = answer.has("error") && answer.at("error").text().isEmpty() ? answer.at("error") : answer;
            if (error.has("message") || error.has("error")) {
                String said = error.has("message")
                        ? error.at("message").text()
                        : error.at("error").text();
                long code = error.has("code")
                        ? error.at("code").number()
                        : error.at("grpc_code").number();
                return new EtcdException("etcd at " + where + " says: " + said, kind((int) code, said));
            }
        } catch (IOException | NumberFormatException noJson) {
            // then it is no answer of etcd's gateway, which is told below
        }
        if (text.contains("CommonName of client")) {
            return new EtcdException(
                    "etcd at " + where.replaceFirst("/.*", "")
                            + " has users, and then its gateway refuses a client certificate with a common name (CN):"
                            + " use a certificate without CN, and a user in the URI or in ETCDCTL_USER",
                    EtcdException.Kind.UNUSABLE);
        }
        String said = text.strip().lines().findFirst().orElse("");
        return new EtcdException(
                where + " does not answer as etcd 3.4 or later with its gateway on: HTTP " + status
                        + (said.isEmpty() ? "" : ", " + said.substring(0, Math.min(120, said.length()))),
                status >= 500 ? Kind.UNCERTAIN : Kind.UNUSABLE);
    }

    private static Kind kind(int code, String said) {
        if (said.contains("requested lease not found")) {
            return Kind.LEASE_NOT_FOUND;
        }
        if (said.contains("authentication is not enabled")) {
            return Kind.UNUSABLE;
        }
        return switch (code) {
            case PERMISSION_DENIED, UNAUTHENTICATED, UNIMPLEMENTED -> Kind.UNUSABLE;
            case INVALID_ARGUMENT -> isOfAccess(said) ? Kind.UNUSABLE : Kind.NOT_APPLIED;
            case NOT_FOUND, RESOURCE_EXHAUSTED, FAILED_PRECONDITION -> Kind.NOT_APPLIED;
            default -> Kind.UNCERTAIN;
        };
    }

    private static boolean isOfAccess(String said) {
        return said.contains("user name is") || said.contains("user ID") || said.contains("authentication");
    }

    /** It says that the token is known no longer: it ran out, the server restarted, or users changed. */
    static boolean isOfItsToken(String text) {
        return text.contains("invalid auth token")
                || text.contains("revision of auth store is old")
                || text.contains("revision in header is old");
    }
}
