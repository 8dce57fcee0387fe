package dev.incumbent.coordinator.kubernetes;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.CertUtils;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The certificates of a configuration as they stand on disk now, each in a file of its own or within the kubeconfig; empty where there is none.
 *
 * @param own the client's certificate
 * @param key its key
 * @param authorities whom the client trusts
 */
record CertificateTexts(String own, String key, String authorities) {
    /** Where one of them stands: as text within the kubeconfig, which counts, or in a file. */
    private record Place(Optional<String> text, Optional<Path> file) {
        static Place of(String text, String file) {
            return new Place(
                    Optional.ofNullable(text).filter(it -> !it.isEmpty()),
                    Optional.ofNullable(file).filter(it -> !it.isEmpty()).map(Path::of));
        }

        boolean isSet() {
            return text.isPresent() || file.isPresent();
        }

        Stream<Path> onDisk(File kubeconfig) {
            return text.isPresent() ? Optional.ofNullable(kubeconfig).map(File::toPath).stream() : file.stream();
        }

        String read(Supplier<Optional<String>> inKubeconfig) throws IOException {
            if (text.isPresent()) {
                return inKubeconfig.get().filter(it -> !it.isEmpty()).orElse(text.get());
            }
            return file.isPresent() ? Files.readString(file.get()) : "";
        }
    }

    private static final Place NOWHERE = new Place(Optional.empty(), Optional.empty());

    /** All files that may change. */
    static List<Path> files(Config config) {
        Stream<Path> ofUser =
                Stream.of(own(config), key(config)).flatMap(place -> place.onDisk(config.getFileWithAuthInfo()));
        return Stream.concat(ofUser, authorities(config).onDisk(config.getFileWithCluster()))
                .distinct()
                .toList();
    }

    /** Fails where a file cannot be read, as while it is being replaced. */
    static CertificateTexts read(Config config) throws IOException {
        return new CertificateTexts(
                own(config).read(() -> KubeconfigEntries.user(config).map(AuthInfo::getClientCertificateData)),
                key(config).read(() -> KubeconfigEntries.user(config).map(AuthInfo::getClientKeyData)),
                authorities(config)
                        .read(() -> KubeconfigEntries.cluster(config).map(Cluster::getCertificateAuthorityData)));
    }

    /** Has a configuration say them, where it says their text, and of which kind the key is. Files are read whenever a client is built. */
    void putInto(Config config) {
        kindOfKey().ifPresent(config::setClientKeyAlgo);
        if (own(config).text().isPresent()) {
            config.setClientCertData(own);
        }
        if (key(config).text().isPresent()) {
            config.setClientKeyData(key);
        }
        if (authorities(config).text().isPresent()) {
            config.setCaCertData(authorities);
        }
    }

    /** As the certificate tells it: fabric8 takes a key for RSA unless it stands in the kubeconfig, and is in a format that only EC has. */
    private Optional<String> kindOfKey() {
        try (InputStream text = CertUtils.getInputStreamFromDataOrFile(own, null)) {
            return CertificateFactory.getInstance("X.509").generateCertificates(text).stream()
                    .findFirst()
                    .map(certificate -> certificate.getPublicKey().getAlgorithm());
        } catch (IOException | CertificateException unreadable) {
            return Optional.empty();
        }
    }

    private static Place own(Config config) {
        Place own = Place.of(config.getClientCertData(), config.getClientCertFile());
        return hasKey(config) ? own : NOWHERE;
    }

    private static Place key(Config config) {
        Place own = Place.of(config.getClientCertData(), config.getClientCertFile());
        return own.isSet() ? Place.of(config.getClientKeyData(), config.getClientKeyFile()) : NOWHERE;
    }

    private static boolean hasKey(Config config) {
        return Place.of(config.getClientKeyData(), config.getClientKeyFile()).isSet();
    }

    private static Place authorities(Config config) {
        return config.isTrustCerts() ? NOWHERE : Place.of(config.getCaCertData(), config.getCaCertFile());
    }
}
