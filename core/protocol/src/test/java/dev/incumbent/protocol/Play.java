package dev.incumbent.protocol;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Cordon;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Extras;
import dev.incumbent.model.Feature;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.Holder;
import dev.incumbent.model.HolderProof;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.NodeBoot;
import dev.incumbent.model.PlannedTransfer;
import dev.incumbent.model.Request;
import dev.incumbent.model.Revision;
import dev.incumbent.model.SinkId;
import dev.incumbent.protocol.Event.TaskOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Plays a transcript of one election: its given lines are done, and what follows from them is written below each. {@code transcripts/README.md} is the grammar. */
final class Play {
    /** Neither a third of the lease nor the time from one keep-alive to the next. */
    private static final Duration TRANSFER_GRACE = Duration.ofMillis(1_900);

    private final StringBuilder out = new StringBuilder();
    private final Map<String, Actor> actors = new LinkedHashMap<>();
    private final Map<String, Map<SinkId, String>> brought = new TreeMap<>();
    private final Map<String, Features> features = new TreeMap<>();
    private final Map<String, Duration> movesAfter = new TreeMap<>();
    private final Map<String, Map<String, String>> attributes = new TreeMap<>();
    private final Map<String, StonithSetup> stonith = new TreeMap<>();
    TinyStore store = TinyStore.EMPTY;
    private TinyStore backup = TinyStore.EMPTY;
    private int swaps;
    private long now;

    /** The transcript anew: its given lines, and what the machines answer today. */
    static String played(String transcript) {
        Play play = new Play();
        transcript.lines().filter(line -> !line.startsWith("    ")).forEach(play::line);
        return play.out.toString();
    }

    private void line(String line) {
        out.append(line).append('\n');
        String[] words = line.split(" ", -1);
        try {
            if (line.isEmpty() || line.startsWith("#")) {
                return;
            } else if (words[0].equals("given")) {
                given(words[1]);
            } else if (words[1].equals("brings")) {
                brought.put(words[0], sinks(line.substring(line.indexOf("brings") + 6)));
            } else if (words[1].equals("moves")) {
                movesAfter.put(words[0], Duration.ofMillis(Long.parseLong(words[3])));
            } else if (words[1].equals("has")) {
                attributes.computeIfAbsent(words[0], who -> new TreeMap<>()).put(words[2], words[3]);
            } else if (words[1].equals("fences")) {
                NodeBoot on = new NodeBoot(words[3], words[5], "p-" + words[0]);
                stonith.put(words[0], new StonithSetup(on, Duration.ofMillis(Long.parseLong(words[7]))));
            } else if (words[1].equals("supports") || words[1].equals("wants")) {
                Set<Feature> named = Later.features(words[2]);
                Set<Feature> known = new TreeSet<>(named);
                known.addAll(features.getOrDefault(words[0], Features.OF_THIS_VERSION)
                        .supported());
                features.put(words[0], new Features(known, words[1].equals("wants") ? named : Set.of()));
            } else {
                long at = Long.parseLong(words[0]) * Actor.MILLI;
                if (at < now) {
                    throw new IllegalArgumentException("time goes back");
                }
                now = at;
                act(words[1], line.split(" ", 3)[2].split(" "));
            }
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("at '" + line + "': " + e.getMessage(), e);
        }
    }

    private static Map<SinkId, String> sinks(String names) {
        Map<SinkId, String> sinks = new TreeMap<>();
        for (String name : names.trim().split(", *", -1)) {
            if (!name.equals("nothing")) {
                sinks.put(new SinkId(name), name);
            }
        }
        return sinks;
    }

    private Actor actor(String name) {
        return actors.computeIfAbsent(name, n -> new Actor(setup(n), out));
    }

    private Setup setup(String name) {
        Candidate candidate =
                new Candidate(new CandidateId(name), name, "", Extras.of(attributes.getOrDefault(name, Map.of())));
        Map<SinkId, String> sinks = brought.getOrDefault(name, sinks("disk"));
        Setup setup = new Setup(
                new ElectionName("billing"),
                candidate,
                Actor.TIMING,
                sinks,
                new Succession(Setup.STAGGER, TRANSFER_GRACE, Optional.ofNullable(movesAfter.get(name))),
                features.getOrDefault(name, Features.OF_THIS_VERSION),
                Optional.empty());
        return Optional.ofNullable(stonith.get(name)).map(setup::withStonith).orElse(setup);
    }

    /** Stands under a lease, and all it asks is answered at once: not written out. */
    private void given(String name) {
        int length = out.length();
        Actor actor = actor(name);
        store = store.granting(lease("L" + name));
        actor.step(new Event.LeaseGranted(lease("L" + name), Actor.TIMING.lease(), now), now, this);
        actor.step(new Event.Campaigned(), now, this);
        everything(actor);
        out.setLength(length);
        out.append("    = ")
                .append(actor.state().role())
                .append(", ")
                .append(Line.of(store.observed()))
                .append('\n');
    }

    private void everything(Actor actor) {
        while (actor.waits()) {
            actor.answerNext(now, this);
        }
    }

    private void act(String who, String[] words) {
        if (who.equals("store")) {
            atTheStore(words);
        } else if (who.endsWith(":")) {
            throw new IllegalArgumentException("who, then a blank");
        } else {
            byActor(actor(who), words);
        }
    }

    private void byActor(Actor actor, String[] words) {
        if (words[0].equals("wall")) {
            actor.setWall(Long.parseLong(words[1]) * Actor.MILLI);
            return;
        }
        String last = words[words.length - 1];
        String kind = words[0] + (Set.of("raise", "mark", "fence").contains(words[0]) ? " " + words[1] : "");
        switch (last) {
            case "answered" -> {
                if (words[0].equals("everything")) {
                    everything(actor);
                } else {
                    actor.answer(kind, now, this);
                }
            }
            case "served" -> {
                actor.serve(kind, this);
                showRecord();
            }
            case "unanswered" -> actor.giveUp(kind, "no answer", now, this);
            case "failed" -> actor.fail(kind, "connection refused", now, this);
            default -> actor.step(event(actor, words), now, this);
        }
    }

    private Event event(Actor actor, String[] words) {
        String word = words.length > 1 ? words[1] : "";
        return switch (words[0]) {
            case "campaigned" -> new Event.Campaigned();
            case "withdrawn" -> new Event.Withdrawn();
            case "granted" -> {
                store = store.granting(lease(word));
                yield new Event.LeaseGranted(lease(word), timeToLive(words), sentAt(words));
            }
            case "renewed" -> new Event.LeaseRenewed(lease(word), sentAt(words));
            case "misses" -> new Event.RenewalMissed();
            case "loses" -> new Event.LeaseLost(lease(word));
            case "session-ends" -> new Event.SessionEnding();
            case "proof" -> new Event.RecordObserved(store.observed(), sentAt(words));
            case "unread" -> new Event.RecordUnread("no answer");
            case "told" -> new Event.RecordChanged(store.observed());
            case "gap" -> new Event.WatchGapped();
            case "current" -> new Event.WatchProved(sentAt(words));
            case "marks" -> new Event.MarkRead(new SinkId(word), store.mark(new SinkId(word)), sentAt(words));
            case "task" -> actor.returned(TaskOutcome.valueOf(word.toUpperCase(Locale.ROOT)));
            case "task-of" -> new Event.TaskReturned(Long.parseLong(word), TaskOutcome.RETURNED);
            case "stale-of" -> new Event.TokenRefused(Long.parseLong(word));
            case "stale" -> actor.refusedToken();
            case "resigns" -> new Event.ResignAsked();
            case "transfers" -> new Event.TransferAsked(new CandidateId(word));
            case "reaches" -> new Event.PositionReached(Long.parseLong(word));
            case "led" -> new Event.ElectionsLed(Long.parseLong(word));
            case "well" -> new Event.HealthChanged(true);
            case "unwell" -> new Event.HealthChanged(false);
            case "accepted" -> new Event.SwapAccepted(word, new Revision(word));
            case "refused" -> new Event.SwapRefused(word, Optional.empty());
            case "uncertain" -> new Event.SwapUncertain(word);
            case "not-swapped" -> new Event.SwapFailed(word);
            case "hears" -> new Event.LeaderHeard(leader(words), Long.parseLong(word));
            case "suspects" -> new Event.LeaderSuspected(leader(words), Long.parseLong(word));
            case "wakes" -> new Event.Woken();
            default -> throw new IllegalArgumentException("unknown: " + words[0]);
        };
    }

    /** {@code hears 7 of c}: the leader of the store's record where that is not said. */
    private CandidateId leader(String[] words) {
        boolean said = words.length > 3 && words[2].equals("of");
        return said
                ? new CandidateId(words[3])
                : store.observed().record().leader().map(Candidate::id).orElseThrow();
    }

    /** {@code granted La for 9000}: how long it holds; what was asked for where that is not said. */
    private static Duration timeToLive(String[] words) {
        boolean said = words.length > 3 && words[2].equals("for");
        return said ? Duration.ofMillis(Long.parseLong(words[3])) : Actor.TIMING.lease();
    }

    /** {@code … sent 120}: when the request left that is answered; now where that is not said. */
    private long sentAt(String[] words) {
        int length = words.length;
        boolean said = length > 1 && words[length - 2].equals("sent");
        return said ? Long.parseLong(words[length - 1]) * Actor.MILLI : now;
    }

    private static LeaseId lease(String id) {
        return new LeaseId(id);
    }

    /** What an operator, a backup or a hand does. */
    private void atTheStore(String[] words) {
        LeaderRecord record = store.record();
        switch (words[0]) {
            case "kills" -> store = store.killing(lease(words[1]));
            case "saves" -> backup = store;
            case "restores" -> store = new TinyStore(backup.record(), backup.alive(), store.line(), store.marks());
            case "forgets" -> store = new TinyStore(LeaderRecord.EMPTY, Set.of(), store.line(), store.marks());
            case "request" -> swap(record.withRequest(Optional.of(request(words, record.term()))));
            case "request-of" -> {
                String[] rest = Arrays.copyOfRange(words, 1, words.length);
                swap(record.withRequest(Optional.of(request(rest, Long.parseLong(words[1])))));
            }
            case "takes-back" -> swap(record.withRequest(Optional.empty()));
            case "plans" -> {
                Instant then = Instant.ofEpochMilli(Long.parseLong(words[3]));
                PlannedTransfer plan = new PlannedTransfer("ops-" + swaps, words[1], then, Instant.EPOCH);
                swap(record.withPlanned(Optional.of(plan)));
            }
            case "cancels" -> swap(record.withPlanned(Optional.empty()));
            case "freeze" ->
                swap(record.withFreeze(Optional.of(new Freeze("ops", "", Instant.EPOCH, Long.parseLong(words[1])))));
            case "thaw" -> swap(record.withFreeze(Optional.empty()).vacated(Long.parseLong(words[1]), Instant.EPOCH));
            case "cordons" ->
                swap(record.withCordons(record.cordons().with(new Cordon(words[1], "ops", "", Instant.EPOCH))));
            case "confirms" -> {
                HolderProof said = new HolderProof(HolderProof.Kind.CONFIRMED, "ops", "", Instant.EPOCH);
                swap(record.withProof(Long.parseLong(words[1]), said));
            }
            case "lists" -> {
                for (int term = 101; record.holders().refusal(holder(term)).isEmpty(); term++) {
                    record = record.withHolders(record.holders().with(holder(term)));
                }
                swap(record);
            }
            case "uncordons" -> swap(record.withCordons(record.cordons().without(words[1])));
            case "requires" -> swap(record.withRequires(Later.features(words[1])));
            case "tells" -> swap(record.withRequest(record.request().map(r -> Later.told(r, words[1]))));
            case "later" -> swap(Later.added(record, words[1]));
            case "mark" -> store = store.marked(new SinkId(words[1]), mark(words));
            case "lease" -> swap(Later.under(record, lease(words[1])));
            case "labels" -> swap(record.withSinks(Later.with(record.sinks(), new SinkId(words[1]), words[2])));
            case "drops" -> swap(record.withSinks(Later.without(record.sinks(), new SinkId(words[1]))));
            case "retires" -> {
                Set<SinkId> retired = new TreeSet<>(record.retiredSinks());
                retired.add(new SinkId(words[1]));
                Map<SinkId, String> sinks = new TreeMap<>(record.sinks());
                sinks.remove(new SinkId(words[1]));
                swap(record.withRetiredSinks(retired).withSinks(sinks));
            }
            default -> throw new IllegalArgumentException("unknown: store " + words[0]);
        }
        showRecord();
    }

    private static Holder holder(long term) {
        return new Holder(term, new CandidateId("z"), new NodeBoot("nz", "1", "p-z"));
    }

    private void swap(LeaderRecord next) {
        swaps++;
        store = store.with(next.written("ops:" + swaps));
    }

    /** {@code … by ops-2}: who asks; ops-1 where that is not said. */
    private static Request request(String[] words, long term) {
        int length = words.length;
        String who = words[length - 2].equals("by") ? words[length - 1] : "ops-1";
        return words[1].equals("resign")
                ? new Request.Resign(who, term)
                : new Request.TransferTo(who, term, new CandidateId(words[3]));
    }

    private static Optional<Mark> mark(String[] words) {
        return words[2].equals("none")
                ? Optional.empty()
                : Optional.of(new Mark(new FencingToken(Long.parseLong(words[2])), MarkOwner.parse(words[3])));
    }

    private void showRecord() {
        out.append("    * ").append(Line.of(store.observed()));
        store.marks().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(e -> out.append("; ").append(e.getKey()).append(" at ").append(e.getValue()));
        out.append('\n');
    }
}
