package dev.incumbent.quorum;

/** What a request needs of whoever sends it. A node without tokens gives everybody every right. */
enum Right {
    /** Nothing: whoever reaches the port is answered, and learns next to nothing. */
    NONE("", ""),
    /** A token that the node knows, of whatever role. */
    TOKEN("to ask", "any token of this node"),
    /** To read: the state of the node, elections, records, candidates, watches. */
    READ("to read", "an operator, candidate or reader token"),
    /** To stand in elections: leases, records, candidates. */
    STAND("to change elections", "a candidate token"),
    /** To change what the servers do. */
    OPERATE("to operate the servers", "an operator token"),
    /** To speak as a node of the quorum. */
    REPLICATE("to speak as a node", "a node token");

    private final String what;
    private final String shownBy;

    Right(String what, String shownBy) {
        this.what = what;
        this.shownBy = shownBy;
    }

    /** One sentence for whoever showed a token that does not give this right. */
    String missing() {
        return "this token does not give the right " + what + ", which needs " + shownBy;
    }
}
