package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.wire.Reread;
import dev.incumbent.wire.Tls;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.GeneralSecurityException;
import java.security.KeyException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509KeyManager;

/**
 * The HTTP client of the certificates that stand on disk, the client's own and those of the authorities. When they have changed, another client is built, whose
 * connections show the new ones. It is built on a thread of its own: requests go on over the one before until then, and what is under way there goes on after that.
 * Without another client, a connection would show the old certificate for as long as it is used. Thread-safe.
 */
final class RenewedClient implements AutoCloseable {
    private static final List<String> KINDS_OF_KEYS = List.of("RSA", "EC", "EdDSA");

    private final ThreadGroup threads;
    private final Config config;
    private final Supplier<HttpClient> build;
    private final AtomicInteger changes = new AtomicInteger();
    private final Reread<Integer> onDisk;
    private final AtomicBoolean renewing = new AtomicBoolean();

    /** Belongs to whoever renews. */
    private CertificateTexts texts;

    private volatile HttpClient current;
    private volatile int seen;
    private volatile String trouble = "";
    private volatile boolean closed;

    /** Builds the first one. Its threads are of that group, and so are those of all others. */
    RenewedClient(ThreadGroup threads, Config config, Supplier<HttpClient> build) {
        this.threads = threads;
        this.config = config;
        this.build = build;
        try {
            this.onDisk = new Reread<>(CertificateTexts.files(config), changes::incrementAndGet);
            this.texts = CertificateTexts.read(config);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.seen = changes.get();
        this.current = first();
    }

    private HttpClient first() {
        CompletableFuture<HttpClient> built = new CompletableFuture<>();
        Thread builds = new Thread(threads, () -> built.complete(build.get()), "incumbent-kubernetes-opens");
        builds.setUncaughtExceptionHandler((thread, failure) -> built.completeExceptionally(failure));
        builds.start();
        return built.join();
    }

    /** The one to send the next request over. Looks at the files, and waits for nothing. */
    HttpClient now() {
        int found = onDisk.now();
        if (found != seen && renewing.compareAndSet(false, true)) {
            seen = found;
            Thread renews = new Thread(threads, this::renew, "incumbent-kubernetes-renews");
            renews.setDaemon(true);
            renews.start();
        }
        return current;
    }

    /** Why the certificates on disk are not those that are shown, as the end of a sentence; empty where all is well. */
    String trouble() {
        return trouble;
    }

    /** What cannot be used leaves the client of what was there before, until the files change again: two files are never replaced at one instant. */
    private void renew() {
        try {
            CertificateTexts found = CertificateTexts.read(config);
            if (!found.equals(texts)) {
                found.putInto(config);
                requirePairs();
                current = build.get();
                texts = found;
            }
            trouble = "";
        } catch (Exception unusable) {
            trouble = "; the certificates that were renewed on disk cannot be used: " + unusable;
        } finally {
            renewing.set(false);
            if (closed) {
                threads.interrupt();
            }
        }
    }

    private void requirePairs() throws IOException, GeneralSecurityException {
        KeyManager[] managers =
                Optional.ofNullable(SSLUtils.keyManagers(config)).orElse(new KeyManager[0]);
        for (KeyManager manager : managers) {
            if (manager instanceof X509KeyManager own) {
                for (String kind : KINDS_OF_KEYS) {
                    requirePairs(own, kind);
                }
            }
        }
    }

    private static void requirePairs(X509KeyManager own, String kind) throws GeneralSecurityException {
        String[] names = Optional.ofNullable(own.getClientAliases(kind, null)).orElse(new String[0]);
        for (String name : names) {
            PrivateKey key = own.getPrivateKey(name);
            X509Certificate[] chain = own.getCertificateChain(name);
            if (!Tls.isPair(key, chain[0])) {
                throw new KeyException("the key is not that of the certificate");
            }
        }
    }

    /** Those before it end once their last request has ended, and with the group. */
    @Override
    public void close() {
        closed = true;
        current.close();
    }
}
