package dev.incumbent.supervisor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A process whose first thread has ended and whose second one goes on, deaf to TERM, out of the group of whoever started it. */
final class HeadlessProcess {
    private static final String SCRIPT = """
            import ctypes, os, signal, threading, time
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            def go_on():
                while open('/proc/%d/stat' % os.getpid()).read().split(')')[1].split()[0] != 'Z': time.sleep(0.01)
                open('headless', 'w').close()
                time.sleep(0.2)
                open('headless-goes-on', 'w').close()
                time.sleep(1000)
            threading.Thread(target=go_on).start()
            ctypes.CDLL(None).syscall({'x86_64': 60, 'aarch64': 93}[os.uname().machine], 0)
            """;

    private HeadlessProcess() {}

    /** Writes it there, and gives the words for a shell to run it there. It makes a file {@code headless} once it is. */
    static String in(Path folder) throws IOException {
        Files.writeString(folder.resolve("headless.py"), SCRIPT);
        return "setsid python3 headless.py";
    }
}
