package dev.incumbent.coordinator.sql;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;

/** A program that opens the coordinators it is given, and prints what came of it. */
public final class OpeningWithoutDrivers {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private OpeningWithoutDrivers() {}

    public static void main(String[] uris) {
        try (SystemTimeline timeline = new SystemTimeline()) {
            for (String uri : uris) {
                open(uri, timeline);
            }
        }
    }

    private static void open(String uri, SystemTimeline timeline) {
        try (Coordinator opened = CoordinatorProvider.of(uri).open(uri, timeline, PATIENCE, Mode.CREATE)) {
            System.out.println("opened " + uri + ": " + opened.capabilities().consistency());
        } catch (RuntimeException refused) {
            System.out.println(refused.getClass().getSimpleName() + ": " + refused.getMessage());
        }
    }
}
