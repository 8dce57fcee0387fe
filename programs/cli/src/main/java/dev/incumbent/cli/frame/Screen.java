package dev.incumbent.cli.frame;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.IntSupplier;

/** What stands behind standard output: a terminal, of some width and perhaps with colours, or anything else, which gets whole lines of plain text. */
public final class Screen {
    /** A file, a pipe, a test. */
    public static final Screen NONE = new Screen(false, () -> Integer.MAX_VALUE);

    static final int USUAL_WIDTH = 80;

    private final boolean colours;
    private final IntSupplier width;

    Screen(boolean colours, IntSupplier width) {
        this.colours = colours;
        this.width = width;
    }

    /** That of this process. {@code NO_COLOR} and a terminal that calls itself dumb have no colours. */
    static Screen ofThisProcess(Map<String, String> variables) {
        if (!isTerminal(Path.of("/proc/self/fd/1"))) {
            return NONE;
        }
        boolean plain = !variables.getOrDefault("NO_COLOR", "").isEmpty() || "dumb".equals(variables.get("TERM"));
        return new Screen(!plain, Screen::columnsOfTheTerminal);
    }

    boolean isColoured() {
        return colours;
    }

    /** How many columns a line may have that has so many: as many where it fits the usual width, for asking a terminal takes a process. */
    int fit(int columns) {
        return columns <= USUAL_WIDTH ? columns : Math.min(columns, width.getAsInt());
    }

    /** The text as it is painted here. */
    public String paint(Paint paint, String text) {
        return colours ? paint.on(text) : text;
    }

    private static boolean isTerminal(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().matches("/dev/(pts/\\d+|tty\\w*|console)");
        } catch (IOException | UnsupportedOperationException noLinux) {
            return false;
        }
    }

    private static int columnsOfTheTerminal() {
        try {
            Process asked = new ProcessBuilder("stty", "size")
                    .redirectInput(Path.of("/dev/tty").toFile())
                    .start();
            String size = new String(asked.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            int columns = size.matches("\\d+ \\d+") ? Integer.parseInt(size.replaceFirst("\\d+ ", "")) : 0;
            return columns > 0 ? columns : USUAL_WIDTH;
        } catch (IOException noTerminal) {
            return USUAL_WIDTH;
        }
    }
}
