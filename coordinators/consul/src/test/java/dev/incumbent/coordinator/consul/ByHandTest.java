package dev.incumbent.coordinator.consul;

import static dev.incumbent.coordinator.consul.Asking.accepted;
import static dev.incumbent.coordinator.consul.Asking.answer;
import static dev.incumbent.coordinator.consul.Asking.claim;
import static dev.incumbent.coordinator.consul.Asking.enlisted;
import static dev.incumbent.coordinator.consul.Asking.found;
import static dev.incumbent.coordinator.consul.Asking.reading;
import static dev.incumbent.coordinator.consul.Asking.vacant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.consul.Asking.Listener;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What people do to the keys with Consul's own client, and other programs beside them. */
final class ByHandTest {
    private final ConsulRig rig = ConsulRig.onTheSharedServer();
    private final Coordinator one = rig.connect();
    private final Coordinator other = rig.connect();
    private final ElectionName election = new ElectionName("by-hand/" + UUID.randomUUID());

    @AfterEach
    void close() {
        rig.close();
    }

    /** So does whatever else ends a session early: its holder hears of it at its next keep-alive, and may not have sent one. */
    @Test
    @Tag("realtime")
    void aLeaseWhoseKeyWasRemovedIsLostToItsOwnerAndDeadForOthersALeaseLater() throws Exception {
        LeaseId lease = answer(one.grant(Asking.id("ada"), rig.lease())).id();
        accepted(one.swap(election, Revision.ABSENT, claim("ada", lease)));
        Listener heard = new Listener();
        other.watch(election, heard);
        long sent = rig.timeline().nanos();
        answer(one.keepAlive(lease));

        rig.server().consul("kv", "delete", rig.prefix() + "/l/" + lease);
        long removed = rig.timeline().nanos();

        assertThat(found(other, election).leaseAlive()).isTrue();
        assertThat(found(other, election).leaseRemaining()).hasValue(Duration.ZERO);
        assertThatThrownBy(() -> answer(one.keepAlive(lease))).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> answer(other.enlist(election, enlisted("ada", lease))))
                .isInstanceOf(LeaseLostException.class);
        Waiting.until("its burial by the watch", () -> !isPromised(lease));
        assertThat(rig.timeline().nanos() - sent).isGreaterThan(rig.lease().toNanos());
        assertThat(rig.timeline().nanos() - removed)
                .isLessThan(rig.lease().plus(rig.slack()).toNanos());
        for (Coordinator client : List.of(one, other, rig.connect())) {
            assertThat(found(client, election).leaseAlive()).isFalse();
        }
    }

    /** For an operator who knows that a process is gone, and does not wait for a lease of an hour. */
    @Test
    @Tag("realtime")
    void aLeaseWhosePromiseWasRemovedTooIsDeadAtOnce() throws Exception {
        LeaseId lease = answer(one.grant(Asking.id("ada"), rig.lease())).id();
        accepted(one.swap(election, Revision.ABSENT, claim("ada", lease)));
        rig.server().consul("kv", "delete", rig.prefix() + "/l/" + lease);
        assertThat(found(other, election).leaseAlive()).isTrue();

        rig.server().consul("kv", "delete", rig.prefix() + "/p/" + lease);

        assertThat(found(other, election).leaseAlive()).isFalse();
        assertThatThrownBy(() -> answer(one.keepAlive(lease))).isInstanceOf(LeaseLostException.class);
    }

    @Test
    @Tag("realtime")
    void aPromiseThatIsNoLengthIsNamedAndTellsNothing() throws Exception {
        LeaseId lease = answer(one.grant(Asking.id("ada"), rig.lease())).id();
        accepted(one.swap(election, Revision.ABSENT, claim("ada", lease)));

        rig.server().consul("kv", "put", rig.prefix() + "/p/" + lease, "for ever");
        rig.server().consul("kv", "delete", rig.prefix() + "/l/" + lease);

        assertThat(reading(other, election))
                .isInstanceOfSatisfying(
                        Reading.Unread.class, unread -> assertThat(unread.why()).contains("/p/" + lease, "'for ever'"));
    }

    private boolean isPromised(LeaseId lease) {
        return rig.server().consul("kv", "get", "-keys", rig.prefix() + "/p/").contains(lease.value());
    }

    @Test
    void aRecordWhoseMarkerIsMissingIsForeignAndNotReplaced() throws Exception {
        Revision current = accepted(one.swap(election, Revision.ABSENT, vacant(1)));

        rig.server().consul("kv", "delete", "-recurse", rig.prefix() + "/e/" + election + ":nonce:");

        assertThat(reading(other, election)).isInstanceOf(Reading.Foreign.class);
        assertThat(answer(one.swap(election, current, vacant(2)))).isInstanceOf(Swap.Refused.class);
    }

    @Test
    void aRecordBesideASecondMarkerIsForeign() throws Exception {
        accepted(one.swap(election, Revision.ABSENT, vacant(1)));

        rig.server().consul("kv", "put", rig.prefix() + "/e/" + election + ":nonce:of-another", "");

        assertThat(reading(other, election))
                .isInstanceOfSatisfying(
                        Reading.Foreign.class,
                        foreign -> assertThat(foreign.why()).contains("of-another"));
    }

    /** What a restored store does: it hands out the same index again. The nonce tells. */
    @Test
    void aRecordAtTheSameIndexWithAnotherNonceIsNotTheSame() throws Exception {
        Revision current = accepted(one.swap(election, Revision.ABSENT, vacant(1)));
        long index = Position.of(current).orElseThrow().index();

        Swap swap = answer(one.swap(election, new Position(index, "another").revision(), vacant(2)));

        assertThat(swap).isInstanceOf(Swap.Refused.class);
        assertThat(found(other, election).revision()).isEqualTo(current);
    }

    @Test
    void aRecordEditedWithoutAFreshNonceIsRefusedToWhoReadItBefore() throws Exception {
        Revision current = accepted(one.swap(election, Revision.ABSENT, vacant(1)));
        String key = rig.prefix() + "/e/" + election + ":record";
        String text = rig.server().consul("kv", "get", key).strip();

        rig.server().consul("kv", "put", key, text.replace("\"term\":1", "\"term\":5"));

        assertThat(answer(one.swap(election, current, vacant(2)))).isInstanceOf(Swap.Refused.class);
        assertThat(found(other, election).record().term()).isEqualTo(5);
    }

    @Test
    void aWatchTellsOfARecordThatWasEditedWithoutAFreshNonce() throws Exception {
        Revision current = accepted(one.swap(election, Revision.ABSENT, vacant(1)));
        Listener heard = new Listener();
        other.watch(election, heard);
        assertThat(heard.next()).isEqualTo(current.toString());
        String key = rig.prefix() + "/e/" + election + ":record";
        String text = rig.server().consul("kv", "get", key).strip();

        rig.server().consul("kv", "put", key, text.replace("\"term\":1", "\"term\":5"));

        assertThat(heard.next())
                .isEqualTo(found(one, election).revision().toString())
                .isNotEqualTo(current.toString());
    }

    @Test
    void keysOfOtherProgramsBeneathThePrefixDisturbNobody() throws Exception {
        Revision current = accepted(one.swap(election, Revision.ABSENT, vacant(1)));
        Listener heard = new Listener();
        other.watch(election, heard);
        assertThat(heard.next()).isEqualTo(current.toString());

        rig.server().consul("kv", "put", rig.prefix() + "/e/no:such:key", "x");
        rig.server().consul("kv", "put", rig.prefix() + "/c/" + election + ":nobody", "x");
        Revision second = accepted(one.swap(election, current, vacant(2)));

        assertThat(heard.next()).isEqualTo(second.toString());
        assertThat(answer(other.candidates(java.util.Set.of(election)))).containsEntry(election, java.util.List.of());
    }

    @Test
    void aRecordThatWasDeletedIsToldAsAGap() throws Exception {
        Revision current = accepted(one.swap(election, Revision.ABSENT, vacant(1)));
        Listener heard = new Listener();
        other.watch(election, heard);
        assertThat(heard.next()).isEqualTo(current.toString());

        rig.server().consul("kv", "delete", "-recurse", rig.prefix() + "/e/" + election + ":");

        assertThat(heard.next()).isEqualTo("gap");
        assertThat(heard.next()).isEqualTo(Revision.ABSENT.toString());
    }
}
