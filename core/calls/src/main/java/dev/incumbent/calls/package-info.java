/**
 * Calls to a store. A {@code Call} ends once: by its answer, at its deadline, or because its lane closes; and tells then whether what it wrote may have applied. A
 * {@code Lane} is the queue and the threads that serve such calls, in the way that a {@code Server} knows. {@code Deadlines} is the clock of both. {@code Refreshed} is a value that ends, such as credentials, with its source.
 *
 * <p>Adapters keep what is their store's: what is sent, what an answer means, and which failures say that nothing was done.
 */
package dev.incumbent.calls;
