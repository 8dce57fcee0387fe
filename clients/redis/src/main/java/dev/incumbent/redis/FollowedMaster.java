package dev.incumbent.redis;

/**
 * A master that sentinels name, and how to log in there. Prints without the password.
 *
 * @param name as the sentinels know it
 */
public record FollowedMaster(String name, int database, ServerAddress.Login login) {
    /** The server that is the master now. */
    public ServerAddress at(String host, int port) {
        return new ServerAddress(host, port, database, login);
    }
}
