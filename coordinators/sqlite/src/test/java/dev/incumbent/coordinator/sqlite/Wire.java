package dev.incumbent.coordinator.sqlite;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.UnreadableRecordException;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a client in another process asks and answers, as lines of words. */
final class Wire {
    private Wire() {}

    static String line(Object... words) {
        List<String> encoded = new ArrayList<>();
        for (Object word : words) {
            encoded.add(URLEncoder.encode("." + word, StandardCharsets.UTF_8));
        }
        return String.join(" ", encoded);
    }

    static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        for (String word : line.split(" ", -1)) {
            words.add(URLDecoder.decode(word, StandardCharsets.UTF_8).substring(1));
        }
        return words;
    }

    static String observed(ObservedRecord record) {
        return line(
                record.revision().value(),
                record.revision().equals(Revision.ABSENT) ? "" : RecordJson.write(record.record()),
                record.leaseAlive(),
                record.leaseRemaining().map(Duration::toNanos).orElse(-1L));
    }

    static ObservedRecord observed(String line) {
        List<String> words = words(line);
        if (words.get(0).isEmpty()) {
            return ObservedRecord.ABSENT;
        }
        try {
            long remaining = Long.parseLong(words.get(3));
            return new ObservedRecord(
                    RecordJson.read(words.get(1)),
                    new Revision(words.get(0)),
                    Boolean.parseBoolean(words.get(2)),
                    remaining < 0 ? Optional.empty() : Optional.of(Duration.ofNanos(remaining)));
        } catch (UnreadableRecordException e) {
            throw new IllegalArgumentException(e);
        }
    }

    static String reading(Reading reading) {
        if (reading instanceof Reading.Found found) {
            return line("found", observed(found.record()));
        }
        if (reading instanceof Reading.Absent) {
            return line("absent");
        }
        if (reading instanceof Reading.Foreign foreign) {
            return line("foreign", foreign.revision().value(), foreign.why());
        }
        return line("unread", ((Reading.Unread) reading).why());
    }

    static Reading reading(String line) {
        List<String> words = words(line);
        return switch (words.get(0)) {
            case "found" -> new Reading.Found(observed(words.get(1)));
            case "absent" -> new Reading.Absent();
            case "foreign" -> new Reading.Foreign(new Revision(words.get(1)), words.get(2));
            default -> new Reading.Unread(words.get(1));
        };
    }

    static String swap(Swap swap) {
        if (swap instanceof Swap.Accepted accepted) {
            return line("accepted", accepted.revision().value());
        }
        return line(
                "refused", ((Swap.Refused) swap).current().map(Wire::observed).orElse(""));
    }

    static Swap swap(String line) {
        List<String> words = words(line);
        if (words.get(0).equals("accepted")) {
            return new Swap.Accepted(new Revision(words.get(1)));
        }
        return new Swap.Refused(words.get(1).isEmpty() ? Optional.empty() : Optional.of(observed(words.get(1))));
    }

    static String failure(Throwable failure) {
        if (failure instanceof LeaseLostException lost) {
            return line("lost", lost.lease());
        }
        if (failure instanceof CoordinatorUnusableException) {
            return line("unusable", String.valueOf(failure.getMessage()));
        }
        boolean mayHaveApplied = !(failure instanceof CoordinatorException told) || told.mayHaveApplied();
        return line("failed", mayHaveApplied, failure);
    }

    static CoordinatorException failure(List<String> words) {
        return switch (words.get(0)) {
            case "lost" -> new LeaseLostException(new LeaseId(words.get(1)), "the other process said so");
            case "unusable" -> new CoordinatorUnusableException(words.get(1));
            default -> new CoordinatorException(words.get(2), Boolean.parseBoolean(words.get(1)));
        };
    }
}
