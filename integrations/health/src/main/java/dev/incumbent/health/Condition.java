package dev.incumbent.health;

/**
 * What is believed of one check.
 *
 * @param check its name
 * @param state what is believed
 * @param why what it answered last, a sentence without its subject, or that it did not answer; empty before the first answer
 */
public record Condition(String check, State state, String why) {
    /** What may be believed of a check. */
    public enum State {
        /** It has not answered yet. Whoever is asked for the first time does not stand. */
        UNASKED,
        WELL,
        SICK
    }

    /** Is the check well? */
    public boolean isWell() {
        return state == State.WELL;
    }

    /** The whole sentence. */
    public String sentence() {
        return state == State.UNASKED ? check + " was not asked yet" : check + " " + why;
    }
}
