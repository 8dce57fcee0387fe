package dev.incumbent.cli.operator;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.Enlisted;
import dev.incumbent.telling.Standing;
import java.util.Optional;
import java.util.stream.Stream;

/** Who is meant by a host: the candidates whose processes run there, and those that are called so. */
record OnHost(String host) {
    boolean isOf(Candidate one) {
        return one.name().equals(host) || one.id().host().filter(host::equals).isPresent();
    }

    /** Does one of them lead there, or stand? */
    boolean isKnownIn(Standing standing) {
        Stream<Candidate> standingThere = standing.candidates().stream().map(Enlisted::candidate);
        return Stream.concat(standing.record().leader().stream(), standingThere).anyMatch(this::isOf);
    }

    boolean leads(Standing standing) {
        return standing.record().leader().filter(this::isOf).isPresent();
    }

    /** The first one in line that is on another host; one that is cordoned only where all of them are. */
    Optional<Candidate> successor(Standing standing) {
        return standing.next().stream()
                .map(Enlisted::candidate)
                .filter(one -> !isOf(one))
                .findFirst();
    }
}
