package dev.incumbent.cli.frame;

import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads a value of our own types. Where picocli would name our class, the sentence of the refusing constructor stands.
 *
 * <p>No lambda: the archive of classes cannot hold one of picocli's interface, nor then any of picocli's thirty converters, which a command would load one by one.
 */
final class ValueConverter<T> implements ITypeConverter<T> {
    private final Function<String, T> read;

    ValueConverter(Function<String, T> read) {
        this.read = read;
    }

    @Override
    public T convert(String text) {
        try {
            return read.apply(text);
        } catch (IllegalArgumentException refused) {
            throw new TypeConversionException(refused.getMessage());
        }
    }
}
