package dev.incumbent.spring.recipe;

import dev.incumbent.spring.LeaderOnly;
import dev.incumbent.spring.LeadershipGranted;
import dev.incumbent.spring.LeadershipRevoked;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** The listeners of docs/spring.md. */
@Component
public class TermReport {
    private final List<String> lines = new CopyOnWriteArrayList<>();

    @EventListener
    @LeaderOnly("billing/closer")
    public void begun(LeadershipGranted granted) {
        lines.add("begun: " + granted.leadership().term().number());
    }

    @EventListener
    public void over(LeadershipRevoked revoked) {
        lines.add("over: " + revoked.leadership().term().number() + ", " + revoked.reason());
    }

    public List<String> lines() {
        return List.copyOf(lines);
    }
}
