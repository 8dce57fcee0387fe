package dev.incumbent.fence.http;

/** A fenced service on a port of 127.0.0.1: whoever posts to {@code /ledger} is answered {@code admitted} at once, and {@code done} once its lines were taken. */
interface Service extends AutoCloseable {
    int port();

    @Override
    void close();

    /** How a service is started behind a fence. */
    interface Starter {
        Service start(HttpFence fence, Ledger ledger);
    }
}
