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
 * The HTTP client of the certificates that stand on disk or that a credential plugin returns, the client's own and those of the authorities. When they have changed, another client is built, whose
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

    /** Guarded by this, as the configuration's certificates are. */
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
            texts.putInto(config);
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
            Thread renews = new Thread(threads, this::renewFromDisk, "incumbent-kubernetes-renews");
            renews.setDaemon(true);
            renews.start();
        }
        return current;
    }

    /** Is that the one to send the next request over? */
    boolean isCurrent(HttpClient client) {
        return client == current;
    }

    /** Why the certificates on disk, or a plugin's, are not those that are shown, as the end of a sentence; empty where all is well. */
    String trouble() {
        return trouble;
    }

    /** Has the connections of the next requests show that one. Reads and builds on the calling thread, which has to be of the group. Throws nothing. */
    synchronized void show(PluginCertificate returned) {
        returned.putInto(config);
        renew("the certificate that the credential plugin returned");
    }

    private void renewFromDisk() {
        try {
            renew("the certificates that were renewed on disk");
        } finally {
            renewing.set(false);
        }
    }

    /** What cannot be used leaves the client of what was there before, until there is something else again: two files are never replaced at one instant. */
    private synchronized void renew(String what) {
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
            texts.putInto(config);
            trouble = "; " + what + " cannot be used: " + unusable;
        } finally {
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
