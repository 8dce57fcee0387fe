package dev.incumbent.cli.frame;

/** A verb that ends without having done what was asked: one sentence for people, and the exit code. */
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int exitCode;

    public Refusal(int exitCode, String sentence) {
        super(sentence);
        this.exitCode = exitCode;
    }

    /** The command line says what cannot be meant; the sentence names the flag and the value. */
    public static Refusal usage(String sentence) {
        return new Refusal(ExitCodes.USAGE, sentence);
    }

    /** The command line is understood, but cannot work here as things are configured. */
    public static Refusal configuration(String sentence) {
        return new Refusal(ExitCodes.CONFIGURATION, sentence);
    }

    /** The coordinator did not answer. */
    public static Refusal unreachable(String sentence) {
        return new Refusal(ExitCodes.UNREACHABLE, sentence);
    }

    /** What was waited or asked for is not so. */
    public static Refusal notSo(String sentence) {
        return new Refusal(ExitCodes.NOT_SO, sentence);
    }

    public int exitCode() {
        return exitCode;
    }
}
