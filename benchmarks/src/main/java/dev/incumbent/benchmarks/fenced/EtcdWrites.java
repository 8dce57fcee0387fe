package dev.incumbent.benchmarks.fenced;

import dev.incumbent.fence.etcd.EtcdFence;
import dev.incumbent.fence.etcd.EtcdSinkProvider;
import dev.incumbent.fence.etcd.EtcdTransaction;
import dev.incumbent.servers.EtcdServer;
import dev.incumbent.servers.TemporaryFolder;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.PutOption;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Each writer puts a key of its own by jetcd, which they share; behind the fence by our transaction, and by jetcd's with our compare in it.
 */
final class EtcdWrites {
    private static final String PREFIX = "benchmark";

    private EtcdWrites() {}

    static void contendOver(Rounds rounds) throws Exception {
        try (EtcdServer server = EtcdServer.startOnDisk()) {
            contend(rounds, "etcd, commits on the disk", server);
        }
        try (TemporaryFolder memory = TemporaryFolder.createInMemory("fenced-writes");
                EtcdServer server =
                        EtcdServer.start("--data-dir", memory.resolve("data").toString())) {
            contend(rounds, "etcd, bound by the processor", server);
        }
    }

    private static void contend(Rounds rounds, String what, EtcdServer server) throws Exception {
        String url = server.uri(PREFIX);
        Raised.at(new EtcdSinkProvider(), url);
        try (Client client = Client.builder().endpoints(server.clientUrl()).build();
                EtcdFence fence = EtcdFence.at(url, Raised.BOUND)) {
            KV jetcd = client.getKVClient();
            Cmp compare = new Cmp(
                    bytes(EtcdFence.markKey(PREFIX, Raised.ELECTION)),
                    Cmp.Op.EQUAL,
                    CmpTarget.value(bytes(EtcdFence.markValue(Raised.TOKEN))));
            List<Writer> unfenced = new ArrayList<>();
            List<Writer> byOurs = new ArrayList<>();
            List<Writer> byJetcd = new ArrayList<>();
            for (int i = 0; i < Rounds.WRITERS; i++) {
                String key = "/ledger/" + i;
                unfenced.add(() -> jetcd.put(bytes(key), bytes(Raised.LINE)).get());
                byOurs.add(() -> put(fence, key));
                byJetcd.add(() -> put(jetcd, compare, key));
            }
            rounds.hold(new Contest(what + ", our transaction", 0, unfenced, byOurs));
            rounds.hold(new Contest(what + ", our compare in jetcd's transaction", 0, unfenced, byJetcd));
        }
    }

    private static void put(EtcdFence fence, String key) throws Exception {
        EtcdTransaction transaction = fence.begin();
        transaction.admit(Raised.ELECTION, Raised.TOKEN);
        transaction.put(key, Raised.LINE);
        transaction.commit();
    }

    private static void put(KV jetcd, Cmp compare, String key) throws Exception {
        boolean admitted = jetcd.txn()
                .If(compare)
                .Then(Op.put(bytes(key), bytes(Raised.LINE), PutOption.DEFAULT))
                .commit()
                .get()
                .isSucceeded();
        if (!admitted) {
            throw new IllegalStateException("the token in force was refused");
        }
    }

    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.UTF_8);
    }
}
