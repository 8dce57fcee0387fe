package dev.incumbent.fence.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reads one text once, from its beginning to its end. What it is unsure of it takes for what a fence has to look at. */
final class SqlReader {
    private static final int MOST_WORDS = 6;

    private final String text;
    private final Lexis lexis;
    private final boolean escapes;
    private final List<List<String>> statements = new ArrayList<>();
    private List<String> statement = new ArrayList<>();
    private boolean isBegun;
    private boolean isExecutable;
    private boolean isUncertain;
    private int at;

    /** @param escapes does a backslash escape, where the language knows both? */
    SqlReader(String text, Lexis lexis, boolean escapes) {
        this.text = text;
        this.lexis = lexis;
        this.escapes = escapes;
    }

    SqlText read() {
        while (at < text.length()) {
            step();
        }
        endStatement();
        return new SqlText(List.copyOf(statements), isExecutable, !isUncertain);
    }

    private void step() {
        char c = text.charAt(at);
        if (Character.isWhitespace(c) || text.startsWith("*/", at)) {
            at += c == '*' ? 2 : 1;
        } else if (lexis.opensLineComment(text, at)) {
            int end = text.indexOf('\n', at);
            at = end < 0 ? text.length() : end;
        } else if (text.startsWith("/*", at)) {
            comment();
        } else if (c == ';') {
            endStatement();
            at++;
        } else {
            isBegun = true;
            token(c);
        }
    }

    private void comment() {
        if (lexis.isExecuted(text, at)) {
            isExecutable = true;
            isUncertain |= !isBegun;
            at = text.indexOf('!', at) + 1;
            while (at < text.length() && Character.isDigit(text.charAt(at))) {
                at++;
            }
            return;
        }
        int depth = 1;
        for (at += 2; at < text.length() && depth > 0; ) {
            if (text.startsWith("*/", at)) {
                depth--;
                at += 2;
            } else if (lexis.nestsComments() && text.startsWith("/*", at)) {
                depth++;
                at += 2;
            } else {
                at++;
            }
        }
    }

    private void token(char c) {
        String dollar = c == '$' ? lexis.dollarQuote(text, at) : "";
        if (lexis.opensQuote(c)) {
            quoted(c == '[' ? ']' : c);
        } else if (!dollar.isEmpty()) {
            int end = text.indexOf(dollar, at + dollar.length());
            at = end < 0 ? text.length() : end + dollar.length();
        } else if (Character.isLetter(c)) {
            word();
        } else {
            at++;
        }
    }

    private void quoted(char end) {
        boolean escaped = lexis.escapes(text, at) && (escapes || lexis != Lexis.MARIADB);
        for (at++; at < text.length() && text.charAt(at) != end; at++) {
            if (escaped && text.charAt(at) == '\\') {
                at++;
            }
        }
        at++;
    }

    private void word() {
        int from = at;
        while (at < text.length() && Character.isJavaIdentifierPart(text.charAt(at))) {
            at++;
        }
        String word = text.substring(from, at).toLowerCase(Locale.ROOT);
        if (statement.size() < MOST_WORDS || word.equals(SqlText.AUTOCOMMIT)) {
            statement.add(word);
        }
    }

    private void endStatement() {
        if (isBegun) {
            statements.add(List.copyOf(statement));
        }
        statement = new ArrayList<>();
        isBegun = false;
    }
}
