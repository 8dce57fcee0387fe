package dev.incumbent.spring;

import dev.incumbent.Elections;

/** A bean that sets what no property sets, such as {@link Elections.Builder#beats} or {@link Elections.Builder#lastResort}. */
@FunctionalInterface
public interface ElectionsCustomizer {
    void customize(Elections.Builder builder);
}
