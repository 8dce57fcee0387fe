package dev.incumbent.model;

/**
 * What an operator, or a leader itself, asks of one term of leadership; it stands in the record until the next claim.
 */
public sealed interface Request {
    /** Which asking this is, so that two of one content are told apart. */
    String id();

    /** The term that it is for; no other heeds it. */
    long term();

    /** What else is told of it. */
    Extras extras();

    /** Hand over to this successor. */
    record TransferTo(String id, long term, CandidateId successor, Extras extras) implements Request {
        public TransferTo {
            Words.checked("a request's id", id);
        }

        public TransferTo(String id, long term, CandidateId successor) {
            this(id, term, successor, Extras.NONE);
        }
    }

    /** Give leadership up. */
    record Resign(String id, long term, Extras extras) implements Request {
        public Resign {
            Words.checked("a request's id", id);
        }

        public Resign(String id, long term) {
            this(id, term, Extras.NONE);
        }
    }
}
