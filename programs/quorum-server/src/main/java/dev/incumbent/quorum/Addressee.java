package dev.incumbent.quorum;

import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.thirdparty.com.google.protobuf.Descriptors.FieldDescriptor;
import org.apache.ratis.thirdparty.com.google.protobuf.Message;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;

/**
 * Refuses what another member sent to another disk. A disk that replaces a member's last one listens at the same address, and until the change of the
 * membership ends the leader goes on sending to the last one there. Ratis would take that as if it were meant for this one. Thread-safe.
 */
final class Addressee implements ServerInterceptor {
    private static final String SERVER_REQUEST = "serverRequest";

    private final String self;

    /** For the peer of that id. */
    Addressee(String self) {
        this.self = self;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        return new Reading<>(call, next.startCall(call, headers));
    }

    /** Whom a message is for; whoever reads it where it names nobody. */
    private String addressee(Object message) {
        if (message instanceof Message request) {
            FieldDescriptor field = request.getDescriptorForType().findFieldByName(SERVER_REQUEST);
            if (field != null && request.getField(field) instanceof RaftRpcRequestProto head) {
                return head.getReplyId().toStringUtf8();
            }
        }
        return self;
    }

    /** Reads one call's messages before Ratis does. */
    private final class Reading<Q, A> extends SimpleForwardingServerCallListener<Q> {
        private final ServerCall<Q, A> call;
        private boolean isRefused;

        private Reading(ServerCall<Q, A> call, ServerCall.Listener<Q> next) {
            super(next);
            this.call = call;
        }

        @Override
        public void onMessage(Q message) {
            String addressee = addressee(message);
            if (!isRefused && addressee.equals(self)) {
                super.onMessage(message);
            } else if (!isRefused) {
                isRefused = true;
                String why = "sent to " + addressee + ", and this is " + self;
                call.close(Status.FAILED_PRECONDITION.withDescription(why), new Metadata());
            }
        }

        /** Ratis would answer a call that was closed. */
        @Override
        public void onHalfClose() {
            if (!isRefused) {
                super.onHalfClose();
            }
        }
    }
}
