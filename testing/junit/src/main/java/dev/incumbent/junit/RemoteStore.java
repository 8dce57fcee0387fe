package dev.incumbent.junit;

import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.fence.memory.MemoryStore;
import dev.incumbent.fence.memory.MemoryTransaction;
import dev.incumbent.model.FencingToken;
import dev.incumbent.time.Timeline;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** An object of the user's behind the network. It serves one operation at a time, and knows of each which term has asked for it. */
final class RemoteStore<T> implements VirtualStore<T> {
    private static final int OF_A_LEASE = 2;

    private final VirtualWorld world;
    private final String name;
    private final T object;
    private final Optional<MemoryStore> fence;
    private Optional<VirtualTask> lastServed = Optional.empty();

    RemoteStore(VirtualWorld world, String name, T object, Optional<MemoryStore> fence) {
        this.world = world;
        this.name = name;
        this.object = object;
        this.fence = fence;
    }

    /** What is done at the store. */
    @FunctionalInterface
    private interface Operation {
        Object done() throws Exception;
    }

    /** What comes back: one value, which may be null, or what was thrown there. */
    private record Answer(List<Object> value, Optional<Throwable> thrown) {
        static Answer failed(Throwable thrown) {
            return new Answer(List.of(), Optional.of(thrown));
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    @SuppressWarnings("unchecked") // what was thrown and what was answered came from this reading
    public <R, E extends Exception> R read(Reading<? super T, R, E> reading) throws E {
        Answer answer = ask(() -> reading.from(object), false);
        rethrow(answer);
        return (R) answer.value().get(0);
    }

    @Override
    public <E extends Exception> void write(Writing<? super T, E> writing) throws E {
        rethrow(ask(
                () -> {
                    writing.to(object);
                    return name;
                },
                true));
    }

    @Override
    public <E extends Exception> void write(FencingToken token, Writing<? super T, E> writing)
            throws FenceException, E {
        MemoryStore marks = fence.orElseThrow(
                () -> new IllegalStateException(name + " has no fence: it was not made by fencedStore"));
        rethrow(ask(
                () -> {
                    try (MemoryTransaction transaction = marks.begin()) {
                        transaction.admit(VirtualWorld.ELECTION, token);
                        writing.to(object);
                        transaction.commit();
                    }
                    return name;
                },
                true));
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the caller knows what its operation throws
    private static <E extends Exception> void rethrow(Answer answer) throws E {
        if (answer.thrown().isPresent()) {
            Throwable thrown = answer.thrown().get();
            if (thrown instanceof Error error) {
                throw error;
            }
            throw (E) thrown;
        }
    }

    private Answer ask(Operation operation, boolean writes) {
        Optional<VirtualTask> caller = world.caller();
        return caller.isEmpty() ? done(operation) : asked(operation, writes, caller.get());
    }

    /** By a task: there, and back. */
    private Answer asked(Operation operation, boolean writes, VirtualTask task) {
        task.point();
        VirtualProcess process = task.process();
        Machine machine = process.machine();
        Call call = new Call(task);
        Timeline timeline = process.platform().timeline();
        long bound = world.timing().lease().toNanos() / OF_A_LEASE;
        Timeline.Alarm limit = timeline.at(timeline.nanos() + bound, () -> call.ends(silence()));
        machine.toStores().carry(() -> {
            Answer answer = served(operation, writes, task);
            machine.fromStores()
                    .carry(() -> machine.clock().whenAwake(() -> {
                        limit.cancel();
                        call.ends(answer);
                    }));
        });
        task.waitForTurn();
        return call.answer.orElseThrow();
    }

    private Answer silence() {
        return Answer.failed(new NoAnswerException(name + " has not answered; what was asked may have happened"));
    }

    /** Where a task waits for the answer: the first that comes counts. */
    private static final class Call {
        private final VirtualTask task;
        private Optional<Answer> answer = Optional.empty();

        Call(VirtualTask task) {
            this.task = task;
        }

        void ends(Answer by) {
            if (answer.isEmpty()) {
                answer = Optional.of(by);
                task.takeTurn();
            }
        }
    }

    private static Answer done(Operation operation) {
        try {
            return new Answer(Collections.singletonList(operation.done()), Optional.empty());
        } catch (Exception | AssertionError thrown) {
            return Answer.failed(thrown);
        }
    }

    /** At the store. */
    private Answer served(Operation operation, boolean writes, VirtualTask task) {
        Answer answer = done(operation);
        String who = task.process().name();
        long term = task.term().number();
        if (answer.thrown().isPresent()) {
            String how = answer.thrown().get() instanceof StaleTokenException ? " refuses " : " throws at ";
            world.storyTeller()
                    .add(name + how + who + " of term " + term + ": "
                            + answer.thrown().get().getMessage());
        } else if (lastServed.filter(last -> last.term().number() > term).isPresent()) {
            if (writes) {
                VirtualTask later = lastServed.get();
                world.acceptedStale("%s accepted a write by %s of term %d, after it had served %s of term %d"
                        .formatted(
                                name,
                                who,
                                term,
                                later.process().name(),
                                later.term().number()));
            }
        } else {
            lastServed = Optional.of(task);
            if (writes) {
                world.storyTeller().add(who + " writes to " + name + ", term " + term);
            }
        }
        return answer;
    }
}
