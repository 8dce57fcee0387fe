package dev.incumbent.agent.owners;

/** What an owner is told of itself: that it leads, with that token, or that it does not, with token 0. */
public record View(boolean leads, long token) {
    static final View WAITS = new View(false, 0);

    static View leads(long token) {
        return new View(true, token);
    }
}
