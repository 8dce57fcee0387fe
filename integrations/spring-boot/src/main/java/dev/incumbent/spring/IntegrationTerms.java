package dev.incumbent.spring;

import dev.incumbent.Leadership;
import dev.incumbent.TermListener;
import dev.incumbent.model.EndReason;
import java.util.function.Supplier;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.integration.leader.event.OnRevokedEvent;

/** Publishes terms as Spring Integration's own leader events, so that its roles and endpoints follow. The role is the name of the election. */
final class IntegrationTerms implements TermListener {
    private final ApplicationEventPublisher publisher;
    private final Supplier<Candidacies> candidacies;

    IntegrationTerms(ApplicationEventPublisher publisher, Supplier<Candidacies> candidacies) {
        this.publisher = publisher;
        this.candidacies = candidacies;
    }

    @Override
    public void onGranted(Leadership leadership) {
        publisher.publishEvent(new OnGrantedEvent(this, context(leadership), election(leadership)));
    }

    @Override
    public void onRevoked(Leadership leadership, EndReason reason) {
        publisher.publishEvent(new OnRevokedEvent(this, context(leadership), election(leadership)));
    }

    private static String election(Leadership leadership) {
        return leadership.term().election().value();
    }

    private Context context(Leadership leadership) {
        String election = election(leadership);
        return new Context() {
            @Override
            public boolean isLeader() {
                return leadership.holds();
            }

            /** Does nothing once this term is over: it ends no later one. */
            @Override
            public void yield() {
                if (leadership.holds()) {
                    candidacies.get().of(election).resign();
                }
            }

            @Override
            public String getRole() {
                return election;
            }
        };
    }
}
