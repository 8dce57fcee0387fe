package dev.incumbent.cli.frame;

import picocli.CommandLine.Help.Ansi.Style;

/** What a colour tells people. */
public enum Paint {
    PLAIN(Style.reset),
    HEADING(Style.bold),
    GOOD(Style.fg_green),
    DOUBTFUL(Style.fg_yellow),
    BAD(Style.fg_red);

    private final Style style;

    Paint(Style style) {
        this.style = style;
    }

    String on(String text) {
        // not Style.off: what ends bold there, 21, begins a double underline at most terminals
        return this == PLAIN || text.isEmpty() ? text : Style.on(style) + text + Style.reset.on();
    }
}
