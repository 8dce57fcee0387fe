package dev.incumbent.wire;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/** Shows the certificate that a file has at the time of each handshake. */
final class RereadIdentity extends X509ExtendedKeyManager {
    private final Reread<X509ExtendedKeyManager> keys;

    RereadIdentity(Reread<X509ExtendedKeyManager> keys) {
        this.keys = keys;
    }

    @Override
    public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
        return keys.now().chooseClientAlias(types, issuers, socket);
    }

    @Override
    public String chooseEngineClientAlias(String[] types, Principal[] issuers, SSLEngine engine) {
        return keys.now().chooseEngineClientAlias(types, issuers, engine);
    }

    @Override
    public String[] getClientAliases(String type, Principal[] issuers) {
        return keys.now().getClientAliases(type, issuers);
    }

    @Override
    public String[] getServerAliases(String type, Principal[] issuers) {
        return keys.now().getServerAliases(type, issuers);
    }

    @Override
    public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
        return keys.now().chooseServerAlias(type, issuers, socket);
    }

    @Override
    public String chooseEngineServerAlias(String type, Principal[] issuers, SSLEngine engine) {
        return keys.now().chooseEngineServerAlias(type, issuers, engine);
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return keys.now().getCertificateChain(alias);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return keys.now().getPrivateKey(alias);
    }
}
