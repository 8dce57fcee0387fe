package dev.incumbent.quorum;

import java.time.Duration;

/**
 * What others may take of a node on one of its ports: how many connections, how much time, how many bytes. All bounds of a node stand here and, for the length of a body, beside its {@link Route}.
 *
 * <p>A connection is a <em>stranger's</em> until a request of it was admitted.
 */
record Bounds(Crowd crowd, Patience patience, Sizes sizes) {
    /** On the port of the clients. */
    static final Bounds OF_CLIENTS = new Bounds(new Crowd(1_024, 512, 512, 256), Patience.USUAL, Sizes.USUAL);

    /** On the Raft port, where a handful of members keep a handful of connections each. */
    static final Crowd OF_MEMBERS = new Crowd(256, 128, 128, 32);

    /**
     * How many connections are open at once.
     *
     * @param all in all
     * @param ofOnePlace from one remote address; of IPv6 from one network of 64 bits
     * @param strangers strangers' in all
     * @param strangersOfOnePlace strangers' from one remote address
     */
    record Crowd(int all, int ofOnePlace, int strangers, int strangersOfOnePlace) {}

    /**
     * How long a connection may take for each part of a conversation. A request that a node holds itself, as it holds a watch, counts as none of these.
     *
     * @param handshake for the handshake of TLS
     * @param head from the connection, or from the first byte of a later request, to the end of the headers
     * @param body from there to the end of the body
     * @param reading for the answer to be taken by who asked
     * @param idle between an answer and the next request
     * @param refused for what is still sent of a request that was refused: else the refusal would be lost with the connection
     */
    record Patience(
            Duration handshake, Duration head, Duration body, Duration reading, Duration idle, Duration refused) {
        static final Patience USUAL = new Patience(
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofSeconds(1));

        /** How long a node itself may take for an answer; longer than anything that it waits for. */
        static final Duration ANSWERING = Duration.ofSeconds(60);
    }

    /**
     * How much is kept for others at once.
     *
     * @param line bytes of a request's first line
     * @param headers bytes of its headers
     * @param underWay requests that are worked on, watches aside
     * @param bodies bytes of the bodies that have come and are not answered
     * @param answers bytes of the answers that are not taken yet
     */
    record Sizes(int line, int headers, int underWay, int bodies, int answers) {
        static final Sizes USUAL = new Sizes(4_096, 8_192, 512, 4 << 20, 16 << 20);
    }
}
