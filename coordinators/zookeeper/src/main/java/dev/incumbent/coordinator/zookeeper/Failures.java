package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.model.LeaseId;
import dev.incumbent.zookeeper.ZooKeeperUri;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.apache.zookeeper.KeeperException.Code;

/** What ZooKeeper's result codes mean to a caller: one sentence, and whether the call may have applied. */
final class Failures {
    private Failures() {}

    /** The code of an answer. */
    static Code code(int rc) {
        Code code = Code.get(rc);
        return code == null ? Code.SYSTEMERROR : code;
    }

    /** No server said anything: it may have applied, or may yet. */
    static boolean isUnanswered(Code code) {
        return switch (code) {
            case CONNECTIONLOSS,
                    OPERATIONTIMEOUT,
                    REQUESTTIMEOUT,
                    SESSIONEXPIRED,
                    SESSIONMOVED,
                    SYSTEMERROR,
                    RUNTIMEINCONSISTENCY,
                    DATAINCONSISTENCY,
                    MARSHALLINGERROR,
                    APIERROR -> true;
            default -> false;
        };
    }

    static CoordinatorException of(ZooKeeperUri address, Code code, String doing, boolean mayHaveApplied) {
        return switch (code) {
            case NOAUTH ->
                new CoordinatorUnusableException(
                        address + " may not be used " + address.asWhom() + ": no permission for " + doing);
            case AUTHFAILED -> refusedCredentials(address);
            case INVALIDACL ->
                new CoordinatorUnusableException(
                        address + " did not learn who this client is, " + address.asWhom()
                                + ": it accepted neither SASL nor a client certificate, though this client is configured for one");
            case UNIMPLEMENTED ->
                new CoordinatorUnusableException(address + " is older than ZooKeeper 3.6: it does not know " + doing);
            case NONODE ->
                new CoordinatorException(
                        address + " lost a node beneath which " + doing + " belongs: somebody removed it", false);
            case CONNECTIONLOSS, SESSIONEXPIRED, SESSIONMOVED, OPERATIONTIMEOUT, REQUESTTIMEOUT ->
                new CoordinatorException(
                        address + " did not answer: the connection ended (" + code + ")", mayHaveApplied);
            default ->
                new CoordinatorException(
                        address + " failed at " + doing + " (" + code + ")", mayHaveApplied && isUnanswered(code));
        };
    }

    /** A lease is longer than the session that was granted for it. */
    static CoordinatorUnusableException tooLong(ZooKeeperUri address, Duration asked, Duration granted) {
        return new CoordinatorUnusableException(address + " grants no lease of " + asked.toMillis()
                + " ms: its longest session is " + granted.toMillis() + " ms (maxSessionTimeout)");
    }

    /** A lease that was granted would become shorter if the member of this link kept it alive. */
    static CoordinatorUnusableException wouldShorten(ZooKeeperUri address, Duration length, Link at) {
        return new CoordinatorUnusableException(address + " would shorten a lease of " + length.toMillis()
                + " ms: the longest session of "
                + at.server().map(Failures::numbered).orElse("a member") + " is "
                + at.timeout().toMillis() + " ms (maxSessionTimeout)");
    }

    /** Which member it is: a name may stand for several. */
    private static String numbered(InetSocketAddress server) {
        String host = server.getAddress().getHostAddress();
        return (server.getAddress() instanceof Inet6Address ? "[" + host + "]" : host) + ":" + server.getPort();
    }

    /** A lease that was kept alive became shorter thereby. */
    static LeaseLostException becameShorter(LeaseId lease, Duration length, Duration shorter) {
        return new LeaseLostException(
                lease,
                "its session of " + length.toMillis() + " ms was resumed with " + shorter.toMillis()
                        + " ms, the longest that this member grants (maxSessionTimeout)");
    }

    /** Those of the URI's user; without one, those by which the client's own configuration logs in. */
    static CoordinatorUnusableException refusedCredentials(ZooKeeperUri address) {
        return new CoordinatorUnusableException(address + " refuses the credentials given, "
                + (address.digest().isPresent() ? address.asWhom() : "by SASL"));
    }
}
