package dev.incumbent.spring;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Health, as Boot 4 asks for it. */
final class HealthOfBoot4 implements HealthIndicator {
    private final Readiness readiness;

    HealthOfBoot4(Readiness readiness) {
        this.readiness = readiness;
    }

    @Override
    public Health health() {
        Health.Builder health = readiness.isReady() ? Health.up() : Health.outOfService();
        return health.withDetails(readiness.details()).build();
    }
}
