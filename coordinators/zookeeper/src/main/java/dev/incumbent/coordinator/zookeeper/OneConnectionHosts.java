package dev.incumbent.coordinator.zookeeper;

import java.net.InetSocketAddress;
import java.util.Collection;
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
 */
final class OneConnectionHosts implements HostProvider {
    private final HostProvider all;
    private final boolean triesOnce;
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile boolean isUsed;

    private OneConnectionHosts(String servers, boolean triesOnce) {
        this.all = new StaticHostProvider(new ConnectStringParser(servers).getServerAddresses());
        this.triesOnce = triesOnce;
    }

    /** One after the other, until one is connected. */
    static OneConnectionHosts ofAll(String servers) {
        return new OneConnectionHosts(servers, false);
    }

    /** That one, tried once. */
    static OneConnectionHosts ofOne(String server) {
        return new OneConnectionHosts(server, true);
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
        return all.next(spinDelay);
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
