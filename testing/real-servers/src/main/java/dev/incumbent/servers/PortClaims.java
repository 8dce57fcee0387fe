package dev.incumbent.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Says which ports the JVMs of one user have drawn: a lock on one byte of a common file for each. A JVM keeps what it claimed until it ends. Thread-safe. */
final class PortClaims {
    private final FileChannel file;

    PortClaims(Path path) {
        try {
            file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static PortClaims ofThisUser() {
        return new PortClaims(
                Path.of(System.getProperty("java.io.tmpdir"), "incumbent-ports-" + System.getProperty("user.name")));
    }

    /** Has nobody claimed it before, in this JVM or another? */
    boolean claim(int port) {
        try {
            return file.tryLock(port, 1, false) != null;
        } catch (OverlappingFileLockException mine) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
