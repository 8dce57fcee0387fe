package dev.incumbent.fence.dynamodb;

import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** How a sink's items are called and what they hold: {@code f#ELECTION mark} the token and whose it is, {@code marks ELECTION} that there is one, {@code sink id} the id. */
final class MarkItems {
    static final String TOKEN = "token";
    static final String OWNER = "owner";
    static final String ID = "id";
    static final String MARKS = "marks";
    static final String PARTITION = "pk";
    static final String SORT = "sk";

    private MarkItems() {}

    static Map<String, AttributeValue> mark(ElectionName election) {
        return key("f#" + election, "mark");
    }

    static Map<String, AttributeValue> listed(ElectionName election) {
        return key(MARKS, election.value());
    }

    static Map<String, AttributeValue> sink() {
        return key("sink", "id");
    }

    static Map<String, AttributeValue> key(String partition, String sort) {
        return Map.of(PARTITION, AttributeValue.fromS(partition), SORT, AttributeValue.fromS(sort));
    }

    static AttributeValue number(FencingToken token) {
        return AttributeValue.fromN(Long.toString(token.value()));
    }

    /** The mark that an item holds; none where there is no item. Half a mark is none that can be read. */
    static Optional<Mark> read(Map<String, AttributeValue> item) {
        if (!item.containsKey(TOKEN) && !item.containsKey(OWNER)) {
            return Optional.empty();
        }
        Optional<String> number = Optional.ofNullable(item.get(TOKEN)).map(AttributeValue::n);
        Optional<String> owner = Optional.ofNullable(item.get(OWNER)).map(AttributeValue::s);
        try {
            FencingToken token = new FencingToken(Long.parseLong(number.orElse("")));
            return Optional.of(new Mark(token, MarkOwner.parse(owner.orElse(""))));
        } catch (IllegalArgumentException unreadable) {
            throw new SinkException(
                    "its item holds no mark: '" + number.orElse("") + "' of '" + owner.orElse("") + "'", unreadable);
        }
    }
}
