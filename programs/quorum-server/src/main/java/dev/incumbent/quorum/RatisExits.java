package dev.incumbent.quorum;

import java.lang.Thread.UncaughtExceptionHandler;
import org.apache.ratis.util.ExitUtils;
import org.jspecify.annotations.Nullable;

/**
 * Ratis ends the JVM, and says so in its log alone, where its port is taken and where any thread throws what nobody catches. Here it throws instead, and
 * what is uncaught goes to whom it went before.
 */
final class RatisExits {
    private RatisExits() {}

    private static final class Once {
        static {
            @Nullable UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
            ExitUtils.disableSystemExit();
            ExitUtils.setTerminateOnUncaughtException(false);
            Thread.setDefaultUncaughtExceptionHandler(before);
        }

        private static void load() {}
    }

    /** Before anything of Ratis is started in this JVM; from the second time on it does nothing. */
    static void prevent() {
        Once.load();
    }
}
