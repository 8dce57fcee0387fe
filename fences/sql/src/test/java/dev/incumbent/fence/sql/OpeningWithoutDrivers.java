package dev.incumbent.fence.sql;

import dev.incumbent.fence.Sink;
import java.time.Duration;

/** A program that opens the sinks it is given, and prints what came of it. */
public final class OpeningWithoutDrivers {
    private OpeningWithoutDrivers() {}

    public static void main(String[] urls) {
        for (String url : urls) {
            try (Sink opened = new SqlSinkProvider().open(url, Duration.ofSeconds(1))) {
                System.out.println("opened " + opened.label());
            } catch (RuntimeException refused) {
                System.out.println(refused.getMessage());
            }
        }
    }
}
