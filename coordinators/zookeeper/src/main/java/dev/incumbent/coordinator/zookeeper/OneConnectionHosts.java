package dev.incumbent.coordinator.zookeeper;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.HostProvider;
import org.apache.zookeeper.client.StaticHostProvider;

/**
 * The servers of one handle of ZooKeeper's client. The handle may try them until it is connected, and none after that. The client would connect again by itself, to
 * any of them and before its owner hears of the loss, and a session that goes on at another member may become shorter there.
 *
 * <p>The client's own thread asks for the next server. Once there is none, that thread waits here until {@link #end}. That must come before the client is told to
 * end, since the client waits for its thread.
 *
 * <p>An address that it tells bears the name by which its server was found: TLS and Kerberos ask the server for that name, and not for a number.
 */
final class OneConnectionHosts implements HostProvider {
    private final HostProvider all;
    private final boolean triesOnce;
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile boolean isUsed;
    private volatile Optional<InetSocketAddress> tried = Optional.empty();

    private OneConnectionHosts(HostProvider all, boolean triesOnce) {
        this.all = all;
        this.triesOnce = triesOnce;
    }

    /** One after the other, until one is connected. */
    static OneConnectionHosts ofAll(String servers) {
        return new OneConnectionHosts(
                new StaticHostProvider(new ConnectStringParser(servers).getServerAddresses()), false);
    }

    /** That one, tried once. Its name is not resolved again: another address may be another member. */
    static OneConnectionHosts ofOne(InetSocketAddress server) {
        return new OneConnectionHosts(
                new StaticHostProvider(List.of(server), name -> new InetAddress[] {server.getAddress()}), true);
    }

    /** The server that was tried last, which is the one that a connected handle is connected to. */
    Optional<InetSocketAddress> tried() {
        return tried;
    }

    /** The handle is about to be left. */
    void end() {
        end.countDown();
    }

    @Override
    public int size() {
        return all.size();
    }

    @Override
    public InetSocketAddress next(long spinDelay) {
        if (isUsed) {
            awaitEnd();
            throw new IllegalStateException("this handle connects no more");
        }
        isUsed = triesOnce;
        InetSocketAddress next = all.next(spinDelay);
        tried = Optional.of(next);
        return next;
    }

    private void awaitEnd() {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void onConnected() {
        isUsed = true;
        all.onConnected();
    }

    /** Nobody gives a handle other servers. */
    @Override
    public boolean updateServerList(Collection<InetSocketAddress> servers, InetSocketAddress current) {
        return false;
    }
}
