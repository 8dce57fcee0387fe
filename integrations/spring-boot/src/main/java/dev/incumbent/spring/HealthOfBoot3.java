package dev.incumbent.spring;

import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/** Health, as Boot 3.5 asks for it. */
final class HealthOfBoot3 implements HealthIndicator {
    private final Readiness readiness;

    HealthOfBoot3(Readiness readiness) {
        this.readiness = readiness;
    }

    @Override
    public Health health() {
        Health.Builder health = readiness.isReady() ? Health.up() : Health.outOfService();
        return health.withDetails(readiness.details()).build();
    }
}
