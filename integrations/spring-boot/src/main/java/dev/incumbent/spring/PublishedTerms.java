package dev.incumbent.spring;

import dev.incumbent.Leadership;
import dev.incumbent.TermListener;
import dev.incumbent.model.EndReason;
import org.springframework.context.ApplicationEventPublisher;

/** Publishes terms as events of the application. */
final class PublishedTerms implements TermListener {
    private final ApplicationEventPublisher publisher;

    PublishedTerms(ApplicationEventPublisher publisher) {
        this.publisher = publisher;
    }

    @Override
    public void onGranted(Leadership leadership) {
        publisher.publishEvent(new LeadershipGranted(leadership));
    }

    @Override
    public void onRevoked(Leadership leadership, EndReason reason) {
        publisher.publishEvent(new LeadershipRevoked(leadership, reason));
    }
}
