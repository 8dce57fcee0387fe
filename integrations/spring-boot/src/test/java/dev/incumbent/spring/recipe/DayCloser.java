package dev.incumbent.spring.recipe;

import dev.incumbent.spring.LeaderOnly;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** The component of docs/spring.md. */
@Component
public class DayCloser {
    private final JdbcTemplate ledger;

    public DayCloser(JdbcTemplate ledger) {
        this.ledger = ledger;
    }

    @Scheduled(fixedDelay = 1000)
    @LeaderOnly("billing/closer")
    public void closeTheDay() {
        ledger.update("INSERT INTO closed_days(closed_at) VALUES (now())");
    }
}
