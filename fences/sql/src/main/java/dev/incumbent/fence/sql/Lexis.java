package dev.incumbent.fence.sql;

/** How a database reads the text of statements: what is a comment, and what is quoted. */
enum Lexis {
    POSTGRES("\"'"),
    MARIADB("\"'`"),
    H2("\"'`"),
    SQLITE("\"'`[");

    private final String quotes;

    Lexis(String quotes) {
        this.quotes = quotes;
    }

    boolean opensQuote(char c) {
        return quotes.indexOf(c) >= 0;
    }

    boolean opensLineComment(String text, int at) {
        return switch (this) {
            case MARIADB ->
                text.charAt(at) == '#'
                        || (text.startsWith("--", at)
                                && (at + 2 == text.length()
                                        || text.charAt(at + 2) <= ' '
                                        || text.charAt(at + 2) == 127));
            case H2 -> text.startsWith("--", at) || text.startsWith("//", at);
            default -> text.startsWith("--", at);
        };
    }

    /** Does a block comment within a block comment need an end of its own? */
    boolean nestsComments() {
        return this == POSTGRES || this == H2;
    }

    /** Is what stands in a comment of that beginning executed, by some versions at least? */
    boolean isExecuted(String text, int comment) {
        return this == MARIADB && (text.startsWith("/*!", comment) || text.startsWith("/*M!", comment));
    }

    /** Does a backslash in the string that begins there keep its end from being one? PostgreSQL's only after an E. */
    boolean escapes(String text, int quote) {
        return switch (this) {
            case MARIADB -> text.charAt(quote) != '`';
            case POSTGRES ->
                text.charAt(quote) == '\''
                        && quote > 0
                        && Character.toLowerCase(text.charAt(quote - 1)) == 'e'
                        && (quote == 1 || !Character.isLetterOrDigit(text.charAt(quote - 2)));
            default -> false;
        };
    }

    /** What opens, and will close, a string that begins there with a dollar sign; empty where none does. */
    String dollarQuote(String text, int at) {
        boolean within = at > 0 && Character.isJavaIdentifierPart(text.charAt(at - 1));
        int end = text.indexOf('$', at + 1);
        if (within || end < 0 || !(this == POSTGRES || (this == H2 && end == at + 1))) {
            return "";
        }
        String tag = text.substring(at, end + 1);
        return tag.matches("\\$([\\p{L}_][\\p{L}\\p{N}_]*)?\\$") ? tag : "";
    }
}
