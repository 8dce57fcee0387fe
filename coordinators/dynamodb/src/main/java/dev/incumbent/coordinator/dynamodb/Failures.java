package dev.incumbent.coordinator.dynamodb;

import dev.incumbent.calls.Refreshed;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.dynamodb.MissingCredentials;
import dev.incumbent.dynamodb.WrongClock;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLHandshakeException;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;

/** What went wrong, in one sentence that names what and where; and whether what was asked may have applied. */
final class Failures {
    private static final Set<String> CREDENTIALS = Set.of(
            "UnrecognizedClientException",
            "InvalidSignatureException",
            "MissingAuthenticationTokenException",
            "MissingAuthenticationToken",
            "IncompleteSignatureException",
            "IncompleteSignature",
            "ExpiredTokenException",
            "InvalidClientTokenId");

    private final Opened opened;

    Failures(Opened opened) {
        this.opened = opened;
    }

    /** Before anything is sent, and so that their lack is told as such. Waits so long at most. */
    void findCredentials(long mostNanos) {
        try {
            opened.credentials().within(mostNanos);
        } catch (SdkException none) {
            String profile = opened.address()
                    .profile()
                    .map(it -> " in the profile " + it)
                    .orElse("");
            throw new CoordinatorUnusableException(
                    "no AWS credentials are found for " + opened.server() + profile
                            + MissingCredentials.why(firstLine(none)),
                    none);
        } catch (Refreshed.LateException late) {
            throw lateCredentials(late);
        }
    }

    private CoordinatorException lateCredentials(Refreshed.LateException late) {
        return new CoordinatorException(
                "there are no valid AWS credentials for " + opened.server() + ": their source " + late.getMessage(),
                false,
                late);
    }

    /** A request failed. In doubt it may have applied: only where no connection came about was nothing sent. */
    CoordinatorException of(SdkException failure, boolean writes) {
        if (failure instanceof AwsServiceException answer) {
            return ofAnswer(answer, writes);
        }
        if (has(failure, UnknownHostException.class)) {
            return new CoordinatorException("the host of " + opened.server() + " is not known", false, failure);
        }
        if (has(failure, SSLHandshakeException.class)) {
            return new CoordinatorUnusableException(
                    opened.server() + " and this client do not trust each other: " + firstLine(failure), failure);
        }
        if (has(failure, ConnectException.class) || has(failure, NoRouteToHostException.class)) {
            return new CoordinatorException(opened.server() + " cannot be reached", false, failure);
        }
        boolean isLate =
                failure instanceof ApiCallTimeoutException || failure instanceof ApiCallAttemptTimeoutException;
        return new CoordinatorException(
                opened.server() + (isLate ? " did not answer in time" : " broke off: " + firstLine(failure)),
                writes,
                failure);
    }

    private CoordinatorException ofAnswer(AwsServiceException answer, boolean writes) {
        String code = Optional.ofNullable(answer.awsErrorDetails())
                .map(AwsErrorDetails::errorCode)
                .orElse("");
        String said = Optional.ofNullable(answer.awsErrorDetails())
                .map(AwsErrorDetails::errorMessage)
                .orElseGet(() -> firstLine(answer));
        if (code.equals("ResourceNotFoundException")) {
            return new CoordinatorUnusableException(
                    opened.server() + " has no table " + opened.address().table()
                            + ": incumbent install --at URI makes it",
                    answer);
        }
        if (WrongClock.isTold(code, said)) {
            return new CoordinatorException(
                    opened.server() + " refuses requests for their time, " + WrongClock.REMEDY + ": " + said,
                    false,
                    answer);
        }
        if (CREDENTIALS.contains(code)) {
            return new CoordinatorUnusableException(
                    opened.server() + " does not accept the AWS credentials (" + code + "): " + said, answer);
        }
        if (code.equals("AccessDeniedException")) {
            return new CoordinatorUnusableException(opened.server() + " forbids it: " + said, answer);
        }
        if (code.equals("ValidationException") && said.contains("key")) {
            return new CoordinatorUnusableException(
                    opened.table() + " is not Incumbent's, its key is not pk and sk: " + said, answer);
        }
        return new CoordinatorException(
                opened.table() + " answered " + (code.isEmpty() ? answer.statusCode() : code) + ": " + said,
                writes && answer.statusCode() >= 500,
                answer);
    }

    private static String firstLine(Throwable failure) {
        String said = Optional.ofNullable(failure.getMessage())
                .orElse(failure.getClass().getSimpleName());
        return said.lines().findFirst().orElse("").strip();
    }

    private static boolean has(Throwable failure, Class<? extends Throwable> kind) {
        Throwable one = failure;
        for (int depth = 0; depth < 10 && one != null; depth++) {
            if (kind.isInstance(one)) {
                return true;
            }
            one = one.getCause();
        }
        return false;
    }
}
