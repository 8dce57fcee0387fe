package dev.incumbent.cli.simulate;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The seed of one world, as a replay line has it: {@code 0x} and up to 16 hex digits, or a whole number. */
record Seed(long value) {
    static Seed parse(String text) {
        boolean hex = text.startsWith("0x") || text.startsWith("0X");
        return new Seed(hex ? Long.parseUnsignedLong(text.substring(2), 16) : Long.parseLong(text));
    }

    @Override
    public String toString() {
        return "0x%016x".formatted(value);
    }

    /** Reads one from the command line. */
    static final class Converter implements ITypeConverter<Seed> {
        @Override
        public Seed convert(String text) {
            try {
                return parse(text);
            } catch (NumberFormatException none) {
                throw new TypeConversionException(
                        "'" + text + "' is no seed; seeds are written 0x9f3c12ab00000000, up to 16 hex digits, or 42");
            }
        }
    }
}
