package dev.incumbent.cli.frame;

import java.util.regex.Pattern;

/** URIs as they may be printed: without credentials. */
public final class Redacted {
    private static final Pattern USER_INFO = Pattern.compile("//[^/?#@]*@");
    private static final Pattern SECRET_PARAMETER =
            Pattern.compile("(?i)([?&;][^=&;]*(?:password|passwd|pwd|secret|token|credential|key)[^=&;]*=)[^&;]*");

    private Redacted() {}

    /** That URI, its user and the values of secret parameters replaced. */
    public static String uri(String uri) {
        String anonymous = USER_INFO.matcher(uri).replaceAll("//***@");
        return SECRET_PARAMETER.matcher(anonymous).replaceAll("$1***");
    }
}
