package dev.incumbent.supervisor;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * Hears the signals sent to this process and passes them on. A signal that was ignored when the process began stays
 * ignored, and is not heard.
 *
 * <p>The JDK's one way to hear a signal is {@code sun.misc.Signal}, taken by reflection since the compiler warns of it
 * and cannot be told otherwise. The JVM must not run with {@code -Xrs}, which keeps some of these signals to itself.
 */
public final class SignalForwarding {
    private static final Map<String, Integer> HEARD =
            Map.of("HUP", 1, "INT", 2, "TERM", SignalRelay.TERM, "USR1", 10, "USR2", 12, "CONT", SignalRelay.CONT);

    private final Class<?> signalType = Class.forName("sun.misc.Signal");
    private final Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
    private final Object ignore = handlerType.getField("SIG_IGN").get(null);
    private final Object standard = handlerType.getField("SIG_DFL").get(null);

    private SignalForwarding() throws ReflectiveOperationException {}

    /**
     * From now on each signal is given to the receiver by its number, on a thread of its own.
     *
     * @param ignoredSignals bit n-1 set: signal n was ignored when the process began, where whoever started this JVM
     *     knows it; the JVM takes some signals for itself and hides that they were ignored
     */
    public static void install(long ignoredSignals, IntConsumer receiver) {
        try {
            new SignalForwarding().hear(ignoredSignals, receiver);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JVM lets no signal be heard (module jdk.unsupported)", e);
        }
    }

    /**
     * Ends this process by SIGINT, as if nobody had heard it; returns where that was ignored when the process began, or cannot be sent. It is a shell that
     * sends it, since the JDK raises no signal that has no handler.
     */
    public static void endByInterrupt() {
        try {
            SignalForwarding signals = new SignalForwarding();
            signals.handle("INT", signals.standard);
            String line = "kill -INT " + ProcessHandle.current().pid();
            new ProcessBuilder("/bin/sh", "-c", line).start().waitFor();
        } catch (ReflectiveOperationException | IOException unsent) {
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void hear(long ignoredSignals, IntConsumer receiver) throws ReflectiveOperationException {
        Object handler = handlerFor(receiver);
        for (Map.Entry<String, Integer> signal : HEARD.entrySet()) {
            boolean wasIgnored = (ignoredSignals >> (signal.getValue() - 1) & 1) == 1;
            Object before = handle(signal.getKey(), wasIgnored ? ignore : handler);
            if (before == ignore) {
                handle(signal.getKey(), ignore);
            }
        }
        handle("TTOU", ignore); // we speak while the command has the terminal
    }

    private Object handle(String name, Object handler) throws ReflectiveOperationException {
        Object signal = signalType.getConstructor(String.class).newInstance(name);
        return signalType.getMethod("handle", signalType, handlerType).invoke(null, signal, handler);
    }

    private Object handlerFor(IntConsumer receiver) {
        InvocationHandler onCall = (proxy, method, arguments) -> switch (method.getName()) {
            case "handle" -> {
                receiver.accept((int) signalType.getMethod("getNumber").invoke(arguments[0]));
                yield Void.TYPE;
            }
            case "equals" -> proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "signals to " + receiver;
        };
        return Proxy.newProxyInstance(handlerType.getClassLoader(), new Class<?>[] {handlerType}, onCall);
    }
}
