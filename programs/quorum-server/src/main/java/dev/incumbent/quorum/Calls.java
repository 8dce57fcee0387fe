package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.quorum.Route.Answer;
import dev.incumbent.quorum.Route.Asked;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Answers clients' calls: those that came together are taken in their order, and answered together. Thread-safe. */
final class Calls {
    private static final Set<String> CHANGES =
            Set.of(Words.KEEP, Words.REVOKE, Words.SWAP, Words.ENLIST, Words.WITHDRAW);
    private static final Set<String> QUESTIONS = Set.of(Words.READ, Words.CANDIDATES, Words.ELECTIONS, Words.CLOCK);

    /** Ratis takes no entry of 4 MB, and its leader would step down over one. */
    private static final int LONGEST_CALL = 1 << 20;

    /** Characters of the answers to the questions of one request, together, as long as none alone is longer: the node builds them all before it sends the first. */
    static final int MOST_ANSWERED = 4 << 20;

    private final Replica replica;
    private final Forwarder forwarder;

    Calls(Replica replica, Forwarder forwarder) {
        this.replica = replica;
        this.forwarder = forwarder;
    }

    /** A client's calls; all are refused where one changes something, and whoever sent them may not. */
    CompletableFuture<Answer> answer(Asked asked) {
        List<String> lines = Parts.lines(asked.body());
        boolean changes = lines.stream().anyMatch(line -> isTooLong(line) || !QUESTIONS.contains(wordOf(line)));
        if (changes && !asked.rights().contains(Right.STAND)) {
            return CompletableFuture.completedFuture(Answer.without(Right.STAND));
        }
        return answer(asked.body(), asked.withinMillis(), false).thenApply(text -> new Answer(200, text));
    }

    /** What another node passed on, which has looked after the rights of whoever sent it. */
    CompletableFuture<Answer> answerPassedOn(Asked asked) {
        return answer(asked.body(), asked.withinMillis(), true).thenApply(text -> new Answer(200, text));
    }

    /** The answer to a body of calls, within that time: what has none by then is told so. What another node leads is passed on to it, once. */
    CompletableFuture<String> answer(String body, long withinMillis, boolean wasPassedOn) {
        List<String> lines = Parts.lines(body);
        List<CompletableFuture<String>> answers = answers(lines, withinMillis);
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(all -> answers.stream().map(CompletableFuture::join).toList())
                .thenCompose(all -> wasPassedOn
                        ? CompletableFuture.completedFuture(all)
                        : passedOn(lines, all, withinMillis * 9 / 10))
                .thenApply(Line::body);
    }

    /** Those answers, with the leader's in the place of each that says that this node does not lead. */
    private CompletableFuture<List<String>> passedOn(List<String> calls, List<String> answers, long withinMillis) {
        Optional<String> leader = answers.stream()
                .map(Line::fields)
                .filter(fields -> fields.get(0).equals(Words.ELSEWHERE))
                .map(fields -> fields.get(1))
                .findFirst();
        if (leader.isEmpty()) {
            return CompletableFuture.completedFuture(answers);
        }
        List<Integer> places = IntStream.range(0, calls.size())
                .filter(i -> Line.fields(answers.get(i)).get(0).equals(Words.ELSEWHERE))
                .boxed()
                .toList();
        return forwarder
                .forward(leader.get(), places.stream().map(calls::get).toList(), withinMillis)
                .thenApply(from -> {
                    List<String> merged = new ArrayList<>(answers);
                    IntStream.range(0, places.size()).forEach(i -> merged.set(places.get(i), from.get(i)));
                    return merged;
                });
    }

    /** What changes the state goes to the log together, so that it costs one entry. */
    private List<CompletableFuture<String>> answers(List<String> calls, long withinMillis) {
        List<Optional<String>> entries = calls.stream().map(Calls::entry).toList();
        Iterator<CompletableFuture<String>> changes = replica.writeAll(
                        entries.stream().flatMap(Optional::stream).toList())
                .iterator();
        List<CompletableFuture<String>> answers = new ArrayList<>(calls.size());
        AtomicLong room = new AtomicLong(MOST_ANSWERED);
        for (int i = 0; i < calls.size(); i++) {
            answers.add(
                    entries.get(i).isPresent()
                            ? inTime(changes.next(), withinMillis, Words.UNCERTAIN, "no majority has answered yet")
                            : question(calls.get(i), withinMillis).thenApply(text -> fitting(text, room)));
        }
        return answers;
    }

    /** Such a call is never split, which would take several times its length. */
    private static boolean isTooLong(String call) {
        return call.length() > LONGEST_CALL;
    }

    private static String wordOf(String call) {
        return Line.fields(call).get(0);
    }

    /** What a call writes to the log; nothing where it is none that changes the state, or too long. */
    private static Optional<String> entry(String call) {
        if (isTooLong(call)) {
            return Optional.empty();
        }
        List<String> fields = Line.fields(call);
        if (fields.get(0).equals(Words.GRANT) && fields.size() == 4) {
            String id = UUID.randomUUID().toString();
            return Optional.of(Line.of(Words.GRANT, id, fields.get(2), fields.get(3)));
        }
        return Optional.of(call).filter(any -> CHANGES.contains(fields.get(0)));
    }

    private CompletableFuture<String> question(String call, long withinMillis) {
        if (isTooLong(call)) {
            return CompletableFuture.completedFuture(
                    Line.of(Words.BAD, "a call has at most " + LONGEST_CALL + " characters"));
        }
        String word = wordOf(call);
        return QUESTIONS.contains(word)
                ? inTime(replica.read(call), withinMillis, Words.LATER, "no majority answers")
                : CompletableFuture.completedFuture(Line.of(Words.BAD, "no call begins with " + word));
    }

    /** The answer, or that it is to be asked for once more, where those before it have taken all the room. */
    private static String fitting(String answer, AtomicLong room) {
        return room.getAndAdd(-answer.length()) > 0
                ? answer
                : Line.of(Words.LATER, "the answers of one request have at most " + MOST_ANSWERED + " characters");
    }

    private static CompletableFuture<String> inTime(
            CompletableFuture<String> answer, long withinMillis, String otherwise, String why) {
        return answer.completeOnTimeout(Line.of(otherwise, why), withinMillis, TimeUnit.MILLISECONDS);
    }
}
