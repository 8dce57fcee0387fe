package dev.incumbent.outcome;

/** A sink that was not read or not raised: its label or id, and why. */
public record OpenSink(String sink, String why) {
    @Override
    public String toString() {
        return sink + ": " + why;
    }
}
