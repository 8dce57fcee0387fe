package dev.incumbent.fence.http;

import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.fence.memory.MemoryStore;
import dev.incumbent.fence.tck.Capability;
import dev.incumbent.fence.tck.FenceContract;
import dev.incumbent.fence.tck.FenceRig;
import dev.incumbent.fence.tck.Writer;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.SinkId;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A service on a real socket; its marks are kept by a sink that outlives it. */
final class HttpRig implements FenceRig {
    private final SystemTimeline timeline = new SystemTimeline();
    private final MemoryStore store =
            new MemoryStore(new SinkId(UUID.randomUUID().toString()));
    private final Sink marks = new MemorySink(store, timeline, Duration.ofSeconds(5));
    private final TemporaryFolder folder = TemporaryFolder.create("http");
    private final Ledger ledger = new Ledger();
    private final Queue<Writer> writers = new ConcurrentLinkedQueue<>();
    private final Service.Starter starter;
    private final Path secret;
    private Service service;

    HttpRig(Service.Starter starter) {
        this.starter = starter;
        this.secret = secretFile();
        this.service = started();
    }

    private Service started() {
        List<ElectionName> others =
                new ArrayList<>(List.of(new ElectionName("reports"), new ElectionName("Billing/closer")));
        for (int i = 1; i <= FenceContract.MANY; i++) {
            others.add(new ElectionName("many/" + i));
        }
        HttpFence fence = HttpFence.over(
                marks,
                Duration.ofSeconds(10),
                "s3cret",
                new ElectionName("billing/closer"),
                others.toArray(new ElectionName[0]));
        return starter.start(fence, ledger);
    }

    private String url() {
        return "http://127.0.0.1:" + service.port();
    }

    /** As an operator writes it. */
    private String sink() {
        return url() + "?secret-file=" + secret;
    }

    private Path secretFile() {
        try {
            return Files.writeString(folder.resolve("secret"), "s3cret\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.PARALLEL_ADMISSIONS, Capability.PUT_BACK, Capability.ONE_ADMISSION);
    }

    @Override
    public Sink open(Duration bound) {
        return new HttpSinkProvider().open(sink(), bound);
    }

    @Override
    public void install() {
        new HttpSinkProvider().install(sink());
    }

    @Override
    public Writer begin() {
        Writer writer = new OpenRequest(service.port());
        writers.add(writer);
        return writer;
    }

    /** A request that was sent already. */
    @Override
    public void admitOutsideATransaction(ElectionName election, FencingToken token) throws FenceException {
        FencedRequest request = new FencedRequest(HttpRequest.newBuilder(URI.create(url() + "/ledger"))
                .POST(HttpRequest.BodyPublishers.ofString("commit\n")));
        request.admit(election, token);
        try {
            request.send(HttpClient.newHttpClient());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        request.admit(election, token);
    }

    @Override
    public List<String> written() {
        return ledger.lines();
    }

    @Override
    public void restart() {
        writers.forEach(Writer::rollBack);
        service.close();
        service = started();
    }

    @Override
    public Runnable backUp() {
        MemoryStore.Copy yesterday = store.copy();
        return () -> store.setBackTo(yesterday);
    }

    @Override
    public void pass(Duration time) {
        // Time is real here.
    }

    @Override
    public Duration patience() {
        return Duration.ofSeconds(40);
    }

    @Override
    public void close() {
        writers.forEach(Writer::rollBack);
        service.close();
        marks.close();
        timeline.close();
        folder.close();
    }
}
