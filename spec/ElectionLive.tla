---------------------------- MODULE ElectionLive ----------------------------
(* Once nothing more goes wrong, somebody leads, for good, and the sinks take its writes.

   Faults are bounded by MaxFaults, so in every behaviour they cease. From then on every
   process and the operator keep taking steps; what is lost stays lost. Candidates claim in any
   order, but where some are cut off, or bring a sink that nobody reaches: then in the order of enlisting, for how long each lets
   the one before it go first is time, and not here. *)
EXTENDS Election
VARIABLE order   \* the candidates in the order of enlisting

InTurn(c) == \A i, j \in 1..Len(order) : order[j] = c /\ i < j => ~Ahead(order[i])
Claims(c) == Idle(c) /\ cand'[c].swap.at = "sent" /\ cand'[c].swap.kind = "claim"
Ordered   == CutOff # {} \/ "wrong sink" \in May
\* Whoever vacates, save by transfer, enlists again at the end.
Again(c)  == Rule("enlist again") /\ cand[c].role = "resigning" /\ cand'[c].role = "candidate" /\ cand[c].successor = None
Turns == IF ~Ordered THEN UNCHANGED order
         ELSE /\ \A c \in Candidate : Claims(c) => InTurn(c)
              /\ order' = IF \E c \in Candidate : Again(c)
                          THEN LET c == CHOOSE x \in Candidate : Again(x) IN Append(SelectSeq(order, LAMBDA d : d # c), c)
                          ELSE order
Orders == {o \in [1..Cardinality(Candidate) -> Candidate] : \A c \in Candidate : \E i \in DOMAIN o : o[i] = c}

Step(c) == \/ Apply(c) \/ Hear(c) \/ Claim(c) \/ Disown(c)
           \/ (\E s \in Sink : Raise(c, s) \/ RaiseAgain(c, s)) \/ Add(c) \/ Begin(c) \/ (Hopeless(c) /\ GiveUp(c))
           \/ Notice(c) \/ Superseded(c) \/ SendVacate(c) \/ Ended(c) \/ Heed(c) \/ Refuse(c)
           \/ Renew(c) \/ Regrant(c) \/ ((~Known(c) \/ Stalled(c)) /\ Lapse(c))
Stops(c)  == "stall" \notin May /\ StopTask(c)
\* A lease that nobody keeps alive dies.
Kept(l)   == l[2] = cand[l[1]].lease /\ cand[l[1]].role # "gone" /\ ~Stalled(l[1])
Unkept    == \E l \in alive : ~Kept(l) /\ Die(l)
Operating == ThawBegin \/ ThawSend \/ ThawLand \/ \E s \in Sink : FreezeRaise(s) \/ ThawRaise(s)

all  == <<vars, order>>
Live == /\ Init /\ order \in (IF Ordered THEN Orders ELSE {<<>>}) /\ [][Next /\ Turns]_all
        /\ WF_all(Unkept /\ Turns) /\ WF_all(Operating /\ Turns)
        /\ \A c \in Candidate : WF_all(Step(c) /\ Turns) /\ WF_all(Stops(c) /\ Turns)

\* Those who could lead
Able == {c \in Candidate : /\ \A s \in Guarded(c) : Reaches(c, s)
                           /\ cand[c].role \notin {"closed", "gone"}
                           /\ ~(cand[c].role = "resigning" /\ cand[c].task /\ "stall" \in May)}
Takes(c, s) == mark[s].token = cand[c].term /\ (Rule("owner") => mark[s].owner = c)
\* c leads, the record says so, and every sink takes its writes
Serves(c)   == Believes(c) /\ Holds(c) /\ \A s \in Guarded(c) : Takes(c, s)
SomeoneLeadsOnceFaultsCease == <>[](Able # {} => \E c \in Candidate : Serves(c))
\* Sinks may have gone back; whoever leads then, they take its writes.
SinksTakeItsWrites == <>[](\A c \in Candidate : Believes(c) /\ Holds(c) => \A s \in Guarded(c) : Takes(c, s))
\* Every sink that a leader writes to stands in the record, so that a freeze reaches it.
TheRecordNamesItsSinks == <>[](\A c \in Candidate : Believes(c) /\ Holds(c) => Guarded(c) \subseteq record.sinks)
\* Whoever asked for a transfer learns that it is over.
RequestsAreSettled == <>[](Able # {} => record.request = NoRequest)
\* A freeze gets quiet, or is thawed.
FreezesGetQuiet == record.frozen ~> Quiet \/ ~record.frozen

\* The bounds of the model do not bind.
BoundsSuffice == /\ record.term < MaxTerm
                 /\ \A c \in Candidate : cand[c].lease < MaxLease \/ cand[c].valid \/ cand[c].role = "gone"
=============================================================================
