package dev.incumbent.cli.simulate;

import dev.incumbent.simulation.Batch;
import java.security.SecureRandom;
import java.util.HexFormat;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * What the seeds of a batch are derived from: hex digits, such as a commit's hash.
 *
 * @param text its digits
 */
record SeedBase(String text) {
    private static final int MOST_DIGITS = 128;
    private static final int DIGITS_OF_A_WORD = 16;

    SeedBase {
        if (text.isEmpty() || text.length() > MOST_DIGITS || !text.chars().allMatch(HexFormat::isHexDigit)) {
            throw new IllegalArgumentException("'" + text + "' is no base; a base is 1 to " + MOST_DIGITS
                    + " hex digits, such as a commit's hash");
        }
    }

    static SeedBase random() {
        return new SeedBase("%016x".formatted(new SecureRandom().nextLong()));
    }

    /** All digits count. */
    long value() {
        long value = 0;
        for (int from = 0; from < text.length(); from += DIGITS_OF_A_WORD) {
            String word = text.substring(from, Math.min(text.length(), from + DIGITS_OF_A_WORD));
            long next = Long.parseUnsignedLong(word, DIGITS_OF_A_WORD);
            value = from == 0 ? next : Batch.seed(value, next);
        }
        return value;
    }

    /** Reads one from the command line. */
    static final class Converter implements ITypeConverter<SeedBase> {
        @Override
        public SeedBase convert(String text) {
            try {
                return new SeedBase(text);
            } catch (IllegalArgumentException none) {
                throw new TypeConversionException(none.getMessage());
            }
        }
    }
}
