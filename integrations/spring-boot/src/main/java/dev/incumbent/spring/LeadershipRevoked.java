package dev.incumbent.spring;

import dev.incumbent.Leadership;
import dev.incumbent.model.EndReason;

/** An event of the application: a term of this process has ended, and another process may lead already. It follows the {@link LeadershipGranted} of the same term. */
public record LeadershipRevoked(Leadership leadership, EndReason reason) {}
