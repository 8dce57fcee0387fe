package dev.incumbent.wire;

import java.util.regex.Pattern;

/** URIs as they may be printed: without credentials, whatever they may look like. */
public final class Redaction {
    private static final Pattern SECRET_PARAMETER =
            Pattern.compile("(?i)([?&;][^=&;]*(?:password|passwd|pwd|secret|token|credential|key)[^=&;]*=)[^&;]*");

    private static final Pattern PASSWORD_OF_A_USER = Pattern.compile("//([^/?#:]*):[^/?#]*@");
    /** The path of a file that holds a secret is none. */
    private static final Pattern SECRET_VALUE = Pattern.compile(
            "(?i)([?&;])(?![^=&;]*file=)[^=&;]*(?:password|passwd|pwd|secret|token|credential)[^=&;]*=[^&;]*");

    private Redaction() {}

    /**
     * That text, the user and the values of secret parameters replaced. Where a password was not escaped and bears a {@code /}, {@code ?} or {@code @}, more is
     * replaced than need be, but nothing of it is left.
     */
    public static String of(String uri) {
        return SECRET_PARAMETER.matcher(withoutUser(uri)).replaceAll("$1***");
    }

    private static String withoutUser(String uri) {
        int begin = uri.indexOf("//");
        int last = uri.lastIndexOf('@');
        if (begin < 0 || last < begin) {
            return uri;
        }
        // Behind a question mark nobody can tell a parameter's value that bears an '@' from the end of a password that
        // bears a '?'.
        boolean isClear = uri.lastIndexOf('?', last) < 0;
        return uri.substring(0, begin) + "//***" + (isClear ? uri.substring(last) : "");
    }

    /** That URI without its secrets: whoever has these from elsewhere can open it. User and paths of files stay. */
    public static String withoutSecrets(String uri) {
        String bare = PASSWORD_OF_A_USER.matcher(uri).replaceFirst("//$1@").replaceFirst("//@", "//");
        String left = SECRET_VALUE.matcher(bare).replaceAll("$1");
        return left.equals(bare)
                ? bare
                : left.replaceAll("&&+", "&")
                        .replaceAll(";;+", ";")
                        .replaceFirst("\\?&", "?")
                        .replaceFirst("[?&;]+$", "");
    }
}
