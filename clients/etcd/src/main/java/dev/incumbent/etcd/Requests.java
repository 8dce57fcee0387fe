package dev.incumbent.etcd;

import dev.incumbent.wire.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Requests over one connection, one after another, in the name of who asks. */
final class Requests {
    private static final int LONGEST_REFUSAL = 2_000;

    private final HttpWire wire;
    private final Access access;

    Requests(HttpWire wire, Access access) {
        this.wire = wire;
        this.access = access;
    }

    /** One question. */
    record Question(String path, String body) {}

    private record Told(int status, String text) {
        boolean refusesTheToken() {
            return text.length() < LONGEST_REFUSAL && Refusal.isOfItsToken(text);
        }
    }

    /** Asks, and waits for the answer. What etcd refuses is an {@link EtcdException}; an {@link IOException} says nothing about the request. */
    Json post(String path, String body) throws IOException {
        return post(List.of(new Question(path, body))).get(0);
    }

    /**
     * Asks several things in one go. The member answers each before it turns to the next, so each is asked after the one before was answered. The first that is
     * refused is told; those after it may have been answered all the same. The first that is refused for its token is asked again with a new one, and so is all
     * that follows it; what was answered before it is not.
     */
    List<Json> post(List<Question> questions) throws IOException {
        List<Told> told = exchange(questions, access.header(this));
        int good = untilTheTokenIsRefused(told);
        if (good < told.size() && access.renewed()) {
            told.subList(good, told.size()).clear();
            told.addAll(exchange(questions.subList(good, questions.size()), access.header(this)));
        }
        List<Json> answers = new ArrayList<>();
        for (int i = 0; i < questions.size(); i++) {
            answers.add(judged(questions.get(i).path(), told.get(i)));
        }
        return answers;
    }

    private static int untilTheTokenIsRefused(List<Told> told) {
        int good = 0;
        while (good < told.size() && !told.get(good).refusesTheToken()) {
            good++;
        }
        return good;
    }

    /** Asks without saying who. */
    Json postAnonymously(String path, String body) throws IOException {
        Question question = new Question(path, body);
        return judged(path, exchange(List.of(question), "").get(0));
    }

    private List<Told> exchange(List<Question> questions, String headers) throws IOException {
        wire.send(questions, headers);
        List<Told> told = new ArrayList<>();
        for (int i = 0; i < questions.size(); i++) {
            HttpWire.Answer answer = wire.receive();
            told.add(new Told(answer.status(), answer.text()));
        }
        return told;
    }

    private Json judged(String path, Told told) throws IOException {
        if (told.status() != 200) {
            throw Refusal.of(wire.endpoint() + path, told.status(), told.text());
        }
        Json answer = Json.read(told.text());
        if (answer.has("error")) {
            throw Refusal.of(wire.endpoint() + path, told.status(), told.text());
        }
        return answer.has("result") ? answer.at("result") : answer;
    }
}
