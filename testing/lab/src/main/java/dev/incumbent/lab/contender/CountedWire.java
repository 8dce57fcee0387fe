package dev.incumbent.lab.contender;

import dev.incumbent.coordinator.memory.Wire;
import dev.incumbent.lab.world.LabMember;
import dev.incumbent.lab.world.MessageKind;
import dev.incumbent.lab.world.RunWatcher;

/** The way of one process to the store, over the world's network. An answer is counted as what was asked for, and so is what others are told of it. */
final class CountedWire implements Wire {
    private final LabMember member;
    private final long incarnation;
    private final AtTheStore store;
    private MessageKind asks = MessageKind.HEARTBEAT;

    /** What the store is asked for at this moment, by any of its clients. What it tells unasked, as the end of a lease, serves an election. */
    static final class AtTheStore {
        private MessageKind asked = MessageKind.ELECTION;
    }

    CountedWire(LabMember member, AtTheStore store) {
        this.member = member;
        this.store = store;
        this.incarnation = member.incarnation();
    }

    /** What is sent from now on is of that kind; what it was before. */
    MessageKind carries(MessageKind next) {
        MessageKind before = asks;
        asks = next;
        return before;
    }

    private static String labelOf(MessageKind kind) {
        return kind == MessageKind.ELECTION ? "claim" : "renew";
    }

    @Override
    public void toStore(Runnable arrival) {
        MessageKind kind = asks;
        RunWatcher.Way way = new RunWatcher.Way(member.index(), member.world().storeEndpoint());
        member.world().network().send(way, kind, labelOf(kind), () -> {
            MessageKind before = store.asked;
            store.asked = kind;
            arrival.run();
            store.asked = before;
        });
    }

    @Override
    public void toClient(Runnable arrival) {
        RunWatcher.Way way = new RunWatcher.Way(member.world().storeEndpoint(), member.index());
        member.world()
                .network()
                .send(
                        way,
                        store.asked,
                        labelOf(store.asked),
                        () -> member.clock().whenAwake(() -> {
                            if (member.isUp() && member.incarnation() == incarnation) {
                                arrival.run();
                            }
                        }));
    }
}
