package dev.incumbent.redis;

import java.nio.file.Path;
import java.util.Optional;

/** Where one server is, and how to log in there. Prints without the password. */
public record ServerAddress(String host, int port, int database, Login login) {
    /**
     * How to log in.
     *
     * @param user none is the server's default user
     * @param authority a file of certificates (PEM) to trust instead of this Java's own
     */
    public record Login(Optional<String> user, Optional<String> password, boolean tls, Optional<Path> authority) {
        @Override
        public String toString() {
            return "Login[user=" + user + ", tls=" + tls + "]";
        }
    }

    @Override
    public String toString() {
        return (login.tls() ? "rediss://" : "redis://") + hostAndPort() + "/" + database;
    }

    public String hostAndPort() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
