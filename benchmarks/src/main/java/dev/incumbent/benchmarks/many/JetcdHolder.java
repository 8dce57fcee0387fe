package dev.incumbent.benchmarks.many;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Election;
import io.etcd.jetcd.election.CampaignResponse;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.grpc.stub.StreamObserver;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** jetcd's own election: a campaign for each office, all under one lease that its client keeps alive. */
final class JetcdHolder implements Holder {
    private final Client client;
    private final Election election;
    private final long lease;
    private final ByteSequence me = bytes("holder");
    private final Queue<CampaignResponse> held = new ConcurrentLinkedQueue<>();
    private final AtomicInteger failures = new AtomicInteger();

    JetcdHolder(String endpoint, Duration length) {
        client = Client.builder().endpoints(endpoint).build();
        election = client.getElectionClient();
        lease = client.getLeaseClient().grant(length.toSeconds()).join().getID();
        var unused = client.getLeaseClient().keepAlive(lease, new Ignored());
    }

    @Override
    public void standFor(String office) {
        CompletableFuture<Void> unused = election.campaign(bytes(office), lease, me)
                .handle((won, failure) -> {
                    if (failure == null) {
                        held.add(won);
                    } else {
                        failures.incrementAndGet();
                    }
                    return null;
                });
    }

    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.UTF_8);
    }

    @Override
    public int held() {
        return held.size();
    }

    @Override
    public Map<String, String> remarks() {
        return Map.of("terms", Integer.toString(held.size()), "failures", Integer.toString(failures.get()));
    }

    @Override
    public void close() {
        client.close();
    }

    /** What a lease's keeping alive tells; a lease that dies shows in the offices. */
    private static final class Ignored implements StreamObserver<LeaseKeepAliveResponse> {
        @Override
        public void onNext(LeaseKeepAliveResponse value) {}

        @Override
        public void onError(Throwable t) {
            System.err.println("jetcd keeps its lease alive no more: " + t);
        }

        @Override
        public void onCompleted() {}
    }
}
