package dev.incumbent.fence.consul;

import dev.incumbent.consul.Entry;
import dev.incumbent.consul.Outcome;
import dev.incumbent.consul.Txn;
import dev.incumbent.fence.MarkRule;
import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.SinkId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * The marks as keys. A colon ends an election's name, so that no name is the beginning of another's keys.
 *
 * <pre>
 * PREFIX/sink:id                    the sink's id, born with it
 * PREFIX/f/ELECTION:mark            the mark in force: TOKEN OWNER
 * PREFIX/f/ELECTION:token:TOKEN     there is one, of the mark in force: whoever writes asks for it in the same transaction
 * </pre>
 */
final class Marks {
    private static final int MOST_NAMED = 60;

    private final ConsulKeys keys;
    private final String prefix;

    Marks(ConsulKeys keys) {
        this.keys = keys;
        this.prefix = keys.prefix();
    }

    /** A mark as it is kept, and since which index; 0 where there is none. */
    private record Kept(Optional<Mark> mark, long index) {}

    String token(ElectionName election, FencingToken token) {
        return beneath() + election + ":token:" + token;
    }

    /** Does nothing where an id is there. */
    CompletableFuture<Boolean> install() {
        Txn birth = new Txn().cas(id(), 0, UUID.randomUUID().toString());
        return keys.apply(birth, "installing the fence").thenApply(Outcome.Done.class::isInstance);
    }

    CompletableFuture<SinkId> readId() {
        return keys.read(new Txn().getTree(id()), "reading its id").thenCompose(this::idOf);
    }

    private CompletableFuture<SinkId> idOf(List<Entry> entries) {
        Optional<SinkId> told = entries.stream()
                .filter(entry -> entry.key().equals(id()))
                .findFirst()
                .map(entry -> new SinkId(entry.value()));
        return told.isPresent() ? CompletableFuture.completedFuture(told.get()) : notInstalled();
    }

    private <T> CompletableFuture<T> notInstalled() {
        return keys.isThere(id()).thenApply(isThere -> {
            throw new SinkException(keys.label()
                    + (isThere
                            ? " did not show its id"
                            : " has no fence: incumbent fence install --sink URL puts it there"));
        });
    }

    /** Of those elections, or of all where there are too many to be named in one transaction. */
    CompletableFuture<MarksRead> of(Set<ElectionName> elections) {
        if (elections.size() > MOST_NAMED) {
            return all().thenApply(read -> read.only(elections));
        }
        Txn asked = new Txn();
        elections.forEach(election -> asked.getTree(mark(election)));
        return told(asked);
    }

    CompletableFuture<MarksRead> all() {
        return told(new Txn().getTree(beneath()));
    }

    private CompletableFuture<MarksRead> told(Txn asked) {
        return keys.read(asked.getTree(id()), "reading its marks")
                .thenCompose(entries -> idOf(entries).thenCompose(id -> {
                    MarksRead.Gathered marks = new MarksRead.Gathered();
                    entries.forEach(entry ->
                            electionOf(entry).ifPresent(name -> marks.add(name, () -> Optional.of(mark(entry)))));
                    MarksRead told = marks.told();
                    CompletableFuture<MarksRead> found = CompletableFuture.completedFuture(told);
                    boolean isNone = told.marks().isEmpty() && told.unreadable().isEmpty();
                    return isNone ? keys.isThere(beneath()).thenCompose(allowed -> found) : found;
                }));
    }

    CompletableFuture<Raise> raise(ElectionName election, Mark asked) {
        return kept(election).thenCompose(kept -> {
            Raise raise = rule(kept).raise(asked);
            boolean stays = kept.mark().equals(Optional.of(asked));
            return raise instanceof Raise.Raised && !stays
                    ? lift(election, kept, asked)
                    : CompletableFuture.completedFuture(raise);
        });
    }

    /** Writes the mark if it is still the one that was read, else begins again; the bound of the call ends that. */
    private CompletableFuture<Raise> lift(ElectionName election, Kept from, Mark to) {
        Txn lifting = new Txn().get(id()).cas(mark(election), from.index(), to.token() + " " + to.owner());
        from.mark().ifPresent(mark -> lifting.delete(token(election, mark.token())));
        lifting.set(token(election, to.token()), new byte[0]);
        return keys.apply(lifting, "raising " + election + " to " + to)
                .thenCompose(outcome -> outcome instanceof Outcome.Refused
                        ? raise(election, to)
                        : CompletableFuture.completedFuture(new Raise.Raised(to)));
    }

    /** What the rule is now for an election; asked after a refusal, to tell what it was. */
    CompletableFuture<MarkRule> rule(ElectionName election) {
        return kept(election).thenApply(Marks::rule);
    }

    private static MarkRule rule(Kept kept) {
        return kept.mark().map(MarkRule::at).orElse(MarkRule.unmarked());
    }

    private CompletableFuture<Kept> kept(ElectionName election) {
        Txn asked = new Txn().getTree(mark(election)).getTree(id());
        return keys.read(asked, "reading the mark of " + election)
                .thenCompose(entries -> idOf(entries).thenCompose(id -> {
                    Optional<Entry> entry = entries.stream()
                            .filter(one -> one.key().equals(mark(election)))
                            .findFirst();
                    return entry.isPresent()
                            ? CompletableFuture.completedFuture(new Kept(
                                    Optional.of(mark(entry.get())), entry.get().modifyIndex()))
                            : keys.isThere(mark(election)).thenApply(raisedMeanwhile -> new Kept(Optional.empty(), 0));
                }));
    }

    private Mark mark(Entry entry) {
        String[] words = entry.value().split(" ", 2);
        try {
            return new Mark(
                    new FencingToken(Long.parseLong(words[0])), MarkOwner.parse(words.length == 2 ? words[1] : ""));
        } catch (IllegalArgumentException e) {
            throw new SinkException(
                    keys.label() + ": the mark " + entry.key() + " cannot be read: '" + entry.value() + "'", e);
        }
    }

    private Optional<String> electionOf(Entry entry) {
        String key = entry.key();
        boolean isMark = key.startsWith(beneath()) && key.endsWith(":mark");
        return isMark
                ? Optional.of(key.substring(beneath().length(), key.length() - ":mark".length()))
                : Optional.empty();
    }

    private String id() {
        return prefix + "/sink:id";
    }

    private String beneath() {
        return prefix + "/f/";
    }

    private String mark(ElectionName election) {
        return beneath() + election + ":mark";
    }
}
