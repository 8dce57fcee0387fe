package dev.incumbent.coordinator.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.LeaderRecord;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The text of a record begins with its nonce, whatever the nonce and whatever else says "nonce". */
class StoredRecordTest {
    @Test
    void aDocumentBeginsWithItsNonceAndIsReadBackWhole() throws Exception {
        for (String nonce : new String[] {"n", "a\"b", "c\\", "},{"}) {
            LeaderRecord record = LeaderRecord.EMPTY
                    .withFreeze(Optional.of(new Freeze("ops", "says \",\"nonce\":\"x\"", Instant.EPOCH, 3)))
                    .written(nonce);

            String text = StoredRecord.text(record);

            assertThat(text).startsWith("{\"nonce\":\"");
            assertThat(RecordJson.read(text)).isEqualTo(record);
        }
    }
}
