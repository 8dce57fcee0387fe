package dev.incumbent.servers;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;

/** The class path of this JVM, for servers and other programs that are written in Java: their jars are those of the test's module. */
public final class ClassPath {
    private ClassPath() {}

    /** As {@code java -cp} takes it. */
    public static String text() {
        return String.join(File.pathSeparator, entries());
    }

    /** A console launcher keeps the test's class path in a loader of its own. */
    private static List<String> entries() {
        List<String> all =
                new ArrayList<>(List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1)));
        if (Thread.currentThread().getContextClassLoader() instanceof URLClassLoader own) {
            for (URL url : own.getURLs()) {
                all.add(url.getPath());
            }
        }
        return all;
    }
}
