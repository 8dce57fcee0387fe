package dev.incumbent.dynamodb;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Why AWS's SDK found no credentials, told of those sources that somebody has set up. The SDK tells it of all of them, in one message of some thousand characters that
 * lists its classes and all profiles.
 */
public final class MissingCredentials {
    /** What the SDK says of a source that nobody has set up: words that its reason contains. */
    private static final List<String> NOT_SET_UP = List.of(
            "Access key must be specified",
            "AWS_WEB_IDENTITY_TOKEN_FILE or",
            "no credentials for profile 'default'",
            "neither AWS_CONTAINER_CREDENTIALS",
            "IMDS credentials have been disabled",
            "Failed to load credentials from IMDS");

    private static final Map<String, String> SOURCES = Map.of(
            "SystemPropertyCredentialsProvider", "the system properties",
            "EnvironmentVariableCredentialsProvider", "the environment",
            "WebIdentityTokenCredentialsProvider", "the web identity",
            "ProfileCredentialsProvider", "the profile",
            "ContainerCredentialsProvider", "the container",
            "InstanceProfileCredentialsProvider", "the instance");

    private static final String ALL = "Unable to load credentials from any";
    private static final Pattern NEXT = Pattern.compile(", (?=[A-Za-z]+CredentialsProvider\\()");
    private static final Pattern MODULE = Pattern.compile("the '([a-z]+)' service module must be on the class path");

    private MissingCredentials() {}

    /** The end of a sentence that says "no credentials are found for …". */
    public static String why(String said) {
        if (!said.startsWith(ALL)) {
            return ": " + withModule(withoutProfiles(said));
        }
        int reasons = said.indexOf(") : [");
        List<String> each = reasons < 0 ? List.of() : List.of(NEXT.split(said.substring(reasons + 5)));
        String told = each.stream()
                .flatMap(reason -> reason(reason).stream())
                .distinct()
                .collect(Collectors.joining("; "));
        return told.isEmpty()
                ? " (no system properties, environment, web identity, profile, container or instance gives any)"
                : ": " + told;
    }

    /** "Source(what it is made of): why not", in the SDK's words. */
    private static Optional<String> reason(String piece) {
        int colon = piece.indexOf("): ");
        if (colon < 0 || NOT_SET_UP.stream().anyMatch(piece.substring(colon)::contains)) {
            return Optional.empty();
        }
        String source = piece.substring(0, piece.indexOf('('));
        String why = piece.substring(colon + 3).replaceFirst("[.\\]]+$", "");
        return Optional.of(SOURCES.getOrDefault(source, source) + ": " + withModule(withoutProfiles(why)));
    }

    private static String withoutProfiles(String why) {
        int list = why.indexOf(": ProfileFile(");
        return list < 0 ? why : why.substring(0, list);
    }

    private static String withModule(String why) {
        Matcher module = MODULE.matcher(why);
        return module.find() ? why + " (software.amazon.awssdk:" + module.group(1) + ")" : why;
    }
}
