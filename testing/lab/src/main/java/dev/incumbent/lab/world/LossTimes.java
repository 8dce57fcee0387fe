package dev.incumbent.lab.world;

/**
 * How long after the leader was struck something happened, in nanoseconds of true time.
 *
 * @param detectable is there something to detect? A planned handover is not detected
 * @param detected until another member held an election or claimed; {@link #NEVER} where none did
 * @param replaced until a member led; {@link #NEVER} where none did until the end
 */
public record LossTimes(boolean detectable, long detected, long replaced) {
    public static final long NEVER = Long.MAX_VALUE;
}
