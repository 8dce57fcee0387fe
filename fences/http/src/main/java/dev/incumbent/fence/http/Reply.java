package dev.incumbent.fence.http;

/** What the fence answers itself: a status, and one line of text or several. */
record Reply(int status, String text) {
    /** On every refusal of the fence's own, so that nobody takes the service's for one. */
    static final String HEADER = "Fencing-Refused";

    static final int OK = 200;
    static final int BAD_REQUEST = 400;
    static final int UNAUTHORIZED = 401;
    /** A mark of an election whose leader may not write here. */
    static final int NOT_FOUND = 404;

    static final int METHOD_NOT_ALLOWED = 405;
    /** Stale, or of a raise: another mark stands in the way. */
    static final int CONFLICT = 409;
    /** A raise that would go too far. */
    static final int UNPROCESSABLE = 422;
    /** The token is missing, unreadable, or not raised here. */
    static final int PRECONDITION_REQUIRED = 428;
    /** The sink did not say; try again. */
    static final int UNAVAILABLE = 503;

    /** To whoever waits on a thread that is interrupted. */
    static final Reply STOPPING = new Reply(UNAVAILABLE, "this service is being stopped");

    boolean isRefusal() {
        return status != OK;
    }
}
