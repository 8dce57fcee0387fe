------------------------------ MODULE Election ------------------------------
(* One election: the record and its swaps, the raise, and all that ends a term.

   Time is not here. Of time this model assumes what Lease.tla proves: a lease dies
   only after its holder's guard has lapsed ("untimely" in May drops even that).
   A pause is a step not taken. A swap, a raise or a write that is under way lands at
   any later moment, or never. A process that restarts is another Candidate: ids are
   never reused. The order of enlisting is time too, so anybody may claim a vacancy at
   any moment, except that others let a named successor go first: the transfer grace is
   taken to be long enough for one that stands ("slow" in May drops that), and to end.

   May says what can go wrong, MaxFaults how often in one run. Broken names the rules
   left out; Broken = {} is the protocol as it should be. *)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
  Candidate, Sink,
  CutOff,                            \* candidates that can raise no sink
  MaxTerm, MaxLease, MaxFaults, MaxWrites,
  May, Broken

Rule(r) == r \notin Broken
None    == "none"
Freezer == "freeze"   \* the names under which an operator raises
Thawer  == "thaw"

VARIABLES
  record,   \* [term, leader, lease, request, frozen, number, sinks, rev]; lease: the number of one of the
            \* leader's leases; request: [to, term], the successor named for a term; number: that of the freeze
  alive,    \* the leases that the coordinator holds alive: pairs <<candidate, number>>
  cand,     \* cand[c]: all that candidate c knows, below
  mark,     \* mark[s] = [token, owner] at sink s
  operator, \* the freeze and the thaw under way, below
  raises,   \* abandoned raises, still under way: [sink, token, owner, saw]; saw: the mark that a thaw read
  writes,   \* writes under way: [sink, token, by]; by tells two leaderships of one term apart
  backup,   \* what the coordinator may be restored to: [at, record, alive]
  faults,   \* how many things have gone wrong
  begun,    \* history: every leadership that began, in order: [term, leader]
  top       \* history: top[s] is the token last admitted with a write at s

(* cand[c]
   role    candidate -> (swap) -> fencing -> leader -> transferring -> resigning -> candidate; closed; gone
   term    the term that c has won, 0 for none;  under: the number of the lease that it won it with
   task    the leader's task runs;  by: index in begun of the leadership that it runs for
   successor  whom it names when vacating
   seen    the greatest term number that c has won;  met: the greatest mark that stood in its way
   lease   the number of its session's lease;  valid: validUntil lies ahead
   swap    the swap that c waits for: [at |-> no | sent | accepted | refused, kind, expect, next]
   late    an older swap, no longer waited for, still under way
   raised  sinks that c has raised to its term;  above: a mark that stands in its way;  latched: a freeze owns that

   operator
   freezing  the last freeze raises sinks, and no thaw has begun since;  shut: sinks it has raised
   thaw      at: no | raising | sent | late, expect: the record, marks: the marks that it read, opened: sinks raised, next *)
NoSwap    == [at |-> "no"]
NoMark    == [token |-> 0, owner |-> None]
NoRequest == [to |-> None, term |-> 0]
KnownSinks == IF "new sink" \in May THEN {CHOOSE s \in Sink : TRUE} ELSE Sink   \* those that the record names at first
Fresh  == [role |-> "candidate", term |-> 0, under |-> 0, task |-> FALSE, by |-> 0, successor |-> None,
           seen |-> 0, met |-> 0, lease |-> 1, valid |-> TRUE, swap |-> NoSwap, late |-> NoSwap,
           raised |-> {}, above |-> 0, latched |-> FALSE]

Init ==
  /\ record = [term |-> 0, leader |-> None, lease |-> 0, request |-> NoRequest, frozen |-> FALSE,
               number |-> 0, sinks |-> KnownSinks, rev |-> 0]
  /\ alive = {<<c, 1>> : c \in Candidate}
  /\ cand = [c \in Candidate |-> Fresh]
  /\ mark = [s \in Sink |-> NoMark]
  /\ operator = [freezing |-> FALSE, shut |-> {}, thaw |-> NoSwap]
  /\ raises = {} /\ writes = {} /\ backup = [at |-> "none"] /\ faults = 0
  /\ begun = <<>> /\ top = [s \in Sink |-> 0]

store   == <<record, alive, backup>>
sinks   == <<mark, raises, writes, operator>>
history == <<begun, top>>
vars    == <<store, cand, sinks, faults, history>>

Max(S)        == CHOOSE x \in S : \A y \in S : x >= y
Fault(f)      == f \in May /\ faults < MaxFaults /\ faults' = faults + 1
Become(c, me) == cand' = [cand EXCEPT ![c] = me]

Dead        == record.leader # None /\ <<record.leader, record.lease>> \notin alive
Idle(c)     == cand[c].swap.at = "no"
Holds(c)    == /\ record.leader = c /\ record.term = cand[c].term
               /\ Rule("names my lease") => record.lease = cand[c].under
Leading(c)  == cand[c].role \in {"leader", "transferring"}
Believes(c) == Leading(c) /\ cand[c].valid          \* what c's guard answers
\* The sinks that c raises; "mismatch": one candidate is configured with fewer.
Guarded(c)  == IF "mismatch" \in May /\ c = CHOOSE x \in Candidate : TRUE THEN {CHOOSE s \in Sink : TRUE} ELSE Sink

-----------------------------------------------------------------------------
(* Swaps. One revision, one swap. A revision stands for the whole record (rev tells apart those that
   freezes leave equal otherwise); broken, it is a counter, which a restored store counts again. *)
Same(expect)  == IF Rule("unrepeated revision") THEN expect = record ELSE expect.rev = record.rev
Written(next) == [next EXCEPT !.rev = IF Rule("unrepeated revision") THEN @ ELSE record.rev + 1]
Send(c, kind, next) ==
  Become(c, [cand[c] EXCEPT !.swap = [at |-> "sent", kind |-> kind, expect |-> record, next |-> next]])

Apply(c) ==
  /\ cand[c].swap.at = "sent"
  /\ IF Same(cand[c].swap.expect)
     THEN record' = Written(cand[c].swap.next) /\ Become(c, [cand[c] EXCEPT !.swap.at = "accepted"])
     ELSE UNCHANGED record                     /\ Become(c, [cand[c] EXCEPT !.swap.at = "refused"])
  /\ UNCHANGED <<alive, backup, sinks, faults, history>>

ApplyLate(c) ==
  /\ cand[c].late.at = "sent"
  /\ IF Same(cand[c].late.expect)
     THEN /\ record' = Written(cand[c].late.next)
          /\ Become(c, [cand[c] EXCEPT !.late = NoSwap,
               \* without attempt numbers its reply passes for the answer to the newer swap
               !.swap.at = IF ~Rule("attempt number") /\ @ = "sent" THEN "accepted" ELSE @])
     ELSE UNCHANGED record /\ Become(c, [cand[c] EXCEPT !.late = NoSwap])
  /\ UNCHANGED <<alive, backup, sinks, faults, history>>

\* What c is after winning the term that record r names.
Winner(me, r) == [me EXCEPT !.role = "fencing", !.term = r.term, !.under = r.lease, !.swap = NoSwap,
                            !.raised = {}, !.above = 0, !.latched = FALSE, !.seen = Max({@, r.term})]
\* What c is after its vacate, whatever became of that: the term is over for c. Disown sees to a record that says otherwise.
Left(me) == [me EXCEPT !.swap = NoSwap, !.term = 0, !.under = 0, !.successor = None, !.raised = {}, !.above = 0,
                       !.latched = FALSE, !.by = IF me.task THEN @ ELSE 0,
                       !.role = IF @ = "resigning" /\ ~(me.task /\ Rule("one task")) THEN "candidate" ELSE @]
\* What c is after swap s: record r is won, or the attempt is forgotten.
After(me, s, r, won) == IF s.kind = "vacate" THEN Left(me)
                        ELSE IF won THEN Winner(me, r) ELSE [me EXCEPT !.swap = NoSwap]
\* May c, reading the record, take it for what its swap s wrote? It bears that attempt's nonce, c's id and c's
\* current lease. An attempt of the same content may have come before: what it wrote bears another nonce,
\* or the same where the client had sent one attempt twice; so both are possible.
Won(c, s) ==
  IF s.kind \notin {"claim", "preempt"} THEN {FALSE}
  ELSE IF Rule("my attempt's nonce") => [s.next EXCEPT !.rev = record.rev] = record
  THEN IF /\ record.leader = c
          /\ Rule("names my lease") => record.lease = cand[c].lease
       THEN IF s.at = "accepted" \/ ~Rule("my attempt's nonce") THEN {TRUE} ELSE BOOLEAN
       ELSE {FALSE}
  ELSE {FALSE}

Hear(c) ==
  LET me == cand[c] IN
  /\ \/ /\ me.swap.at = "accepted"
        /\ Become(c, After(me, me.swap, me.swap.next, me.swap.kind \in {"claim", "preempt"} /\
                                                     (Rule("names my lease") => me.swap.next.lease = me.lease)))
     \/ /\ me.swap.at = "refused"   \* or so it says: an earlier sending may have won
        /\ \E won \in Won(c, me.swap) : Become(c, After(me, me.swap, record, won))
  /\ UNCHANGED <<store, sinks, faults, history>>

\* No reply in time: c reads. What has not won by then is forgotten, though it may land later.
TimeOut(c) ==
  LET me    == cand[c]
      after == [me EXCEPT !.late = IF me.swap.at = "sent" THEN me.swap ELSE @]
  IN /\ ~Idle(c) /\ Fault("timeout")
     /\ \E won \in Won(c, me.swap) : Become(c, After(after, me.swap, record, won))
     /\ UNCHANGED <<store, sinks, history>>

-----------------------------------------------------------------------------
(* Campaign *)
Number(c)  == Max({record.term} \cup (IF Rule("number above what I won") THEN {cand[c].seen} ELSE {})
                                \cup (IF Rule("number above what I met") THEN {cand[c].met} ELSE {})) + 1
Claimed(c) == [record EXCEPT !.term = Number(c), !.leader = c, !.lease = cand[c].lease,
                 !.request = IF Rule("a claim clears the request") THEN NoRequest ELSE @,
                 !.sinks   = IF Rule("sinks enter once raised") THEN @ ELSE @ \cup Guarded(c)]
Stands(c)  == /\ cand[c].role = "candidate" /\ Idle(c) /\ cand[c].valid
              /\ ~record.frozen /\ Number(c) <= MaxTerm
              \* the set of sinks stands in the record, and whoever lacks one of them does not stand
              /\ Rule("one set of sinks") => record.sinks \subseteq Guarded(c)
              /\ "told" \in May => <<c, cand[c].lease>> \in alive  \* a restore is noticed before the next claim

\* d may claim, or has and does not know yet.
Ahead(d) == Stands(d) \/ (cand[d].role = "candidate" /\ ~Idle(d))
\* A successor is named, and it is not c: c lets it go first, for the transfer grace.
LetsGoFirst(c) == Rule("the successor goes first") /\ record.request.to \notin {None, c}
GracePasses    == /\ Rule("the grace ends")
                  /\ IF Ahead(record.request.to) THEN Fault("slow") ELSE UNCHANGED faults
Claim(c) ==
  /\ Stands(c) /\ (IF record.leader = None THEN TRUE ELSE Dead)
  /\ IF LetsGoFirst(c) THEN GracePasses ELSE UNCHANGED faults
  /\ Send(c, "claim", Claimed(c))
  /\ UNCHANGED <<store, sinks, history>>
Preempt(c) ==
  /\ Stands(c) /\ record.leader \notin {None, c} /\ ~Dead
  /\ Fault("preempt") /\ Send(c, "preempt", Claimed(c))
  /\ UNCHANGED <<store, sinks, history>>

\* What whoever vacates writes as term: nobody then claims below what it won, or met.
Greatest(c) == IF Rule("write what I met") THEN Max({record.term, cand[c].seen, cand[c].met}) ELSE record.term
\* A record that names c and its lease for a term c does not hold: a swap of c's landed late, a vacate did not,
\* or the store was restored. Nobody else can end that, so c does, also after it has withdrawn.
Disown(c) ==
  LET me == cand[c] IN
  /\ Rule("disown") /\ Idle(c)
  /\ \/ me.role = "candidate" \/ (me.role = "resigning" /\ me.term = 0)
     \/ me.role = "closed" /\ Rule("disown though withdrawn")
  /\ record.leader = c /\ record.lease = me.lease
  /\ Send(c, "vacate", [record EXCEPT !.leader = None, !.lease = 0, !.term = Greatest(c)])
  /\ UNCHANGED <<store, sinks, faults, history>>
\* Broken: c sees the record of a claim whose answer it has not heard, and disowns it.
DisownUnheard(c) ==
  /\ ~Rule("a claim under way is held") /\ cand[c].swap.at = "accepted" /\ record = cand[c].swap.next
  /\ cand[c].swap.kind = "claim"
  /\ record' = Written([record EXCEPT !.leader = None, !.lease = 0])
  /\ UNCHANGED <<alive, backup, cand, sinks, faults, history>>

-----------------------------------------------------------------------------
(* Raise, then lead *)
\* What a freeze has raised, only a thaw (or another freeze) raises further, whatever the number.
Passes(m, token, owner) == /\ token > m.token
                           /\ m.owner = Freezer /\ Rule("a freeze latches") =>
                                owner = Thawer \/ (owner = Freezer /\ Rule("a freeze passes a freeze"))
Lifted(m, token, owner) == IF Passes(m, token, owner) THEN [token |-> token, owner |-> owner] ELSE m
\* A thaw raises on condition of the mark that it read.
Thawed(m, token, saw)   == IF Rule("thaw raises by what it saw") => m = saw THEN Lifted(m, token, Thawer) ELSE m
Owned(m, token, owner)  == m.token = token /\ (Rule("owner") => m.owner = owner)
Met(me, m)              == [me EXCEPT !.above = m.token, !.met = Max({@, m.token}), !.latched = m.owner = Freezer]

\* "wrong sink": nobody reaches the sink that is to be new.
Reaches(c, s) == c \notin CutOff /\ ("wrong sink" \in May => s \in KnownSinks)
Raise(c, s) ==
  LET me == cand[c]
      m  == Lifted(mark[s], me.term, c)
  IN /\ me.role = "fencing" /\ Idle(c) /\ me.above = 0 /\ s \in Guarded(c) \ me.raised /\ Reaches(c, s)
     /\ mark' = [mark EXCEPT ![s] = m]
     /\ Become(c, IF Owned(m, me.term, c) THEN [me EXCEPT !.raised = @ \cup {s}]
                                          ELSE Met(me, m))
     /\ UNCHANGED <<store, raises, writes, operator, faults, history>>
\* A raise whose reply c will not hear; it may land much later.
LoseRaise(c, s) ==
  /\ cand[c].role = "fencing" /\ s \in Guarded(c) \ cand[c].raised /\ Fault("late raise")
  /\ raises' = raises \cup {[sink |-> s, token |-> cand[c].term, owner |-> c, saw |-> NoMark]}
  /\ UNCHANGED <<store, cand, mark, writes, operator, history>>
LandRaise(r) ==
  /\ raises' = raises \ {r}
  /\ mark' = [mark EXCEPT ![r.sink] = IF r.owner = Thawer THEN Thawed(@, r.token, r.saw) ELSE Lifted(@, r.token, r.owner)]
  /\ UNCHANGED <<store, cand, writes, operator, faults, history>>

\* Sinks that the record does not name yet enter it once they are raised; again where a restored record forgot them.
Add(c) ==
  /\ \/ cand[c].role = "fencing"
     \/ cand[c].role = "leader" /\ Rule("a leader adds its sinks again")
  /\ Idle(c) /\ Holds(c) /\ ~record.frozen
  /\ cand[c].raised = Guarded(c) /\ ~(Guarded(c) \subseteq record.sinks)
  /\ Send(c, "add", [record EXCEPT !.sinks = @ \cup Guarded(c)])
  /\ UNCHANGED <<store, sinks, faults, history>>

Begin(c) ==
  LET me == cand[c] IN
  /\ me.role = "fencing" /\ Idle(c) /\ me.valid /\ ~me.task
  /\ Rule("names my lease") => me.under = me.lease
  /\ Rule("raise") => me.raised = Guarded(c)
  /\ Rule("new sinks enter the record") => Guarded(c) \subseteq record.sinks
  /\ begun' = Append(begun, [term |-> me.term, leader |-> c])
  /\ Become(c, [me EXCEPT !.role = "leader", !.task = TRUE, !.by = Len(begun) + 1])
  /\ UNCHANGED <<store, sinks, faults, top>>

\* It cannot begin: lapsed, overtaken, frozen, a sink cannot be reached or refuses.
Unable(c)   == (\E s \in Guarded(c) : ~Reaches(c, s)) \/ cand[c].above > 0
Hopeless(c) == ~cand[c].valid \/ cand[c].under # cand[c].lease \/ ~Holds(c) \/ record.frozen \/ Unable(c)
GiveUp(c) ==
  /\ cand[c].role = "fencing" /\ Idle(c)
  /\ IF Hopeless(c) THEN UNCHANGED faults ELSE Fault("unraisable")
  /\ Become(c, [cand[c] EXCEPT !.role = "resigning"])
  /\ UNCHANGED <<store, sinks, history>>

-----------------------------------------------------------------------------
(* Lead, and end *)
\* Vacating under a running task is switched on, and allowed: there is a sink, and all are fenced.
Switch == "switch" \in May /\ (Rule("switch only where fenced") => Sink # {} /\ Rule("fence"))
Work(c, s) ==
  \* a task that will not stop asks no guard
  /\ Believes(c) \/ (Switch /\ cand[c].role = "resigning")
  /\ cand[c].task /\ Cardinality(writes) < MaxWrites
  /\ writes' = writes \cup {[sink |-> s, token |-> begun[cand[c].by].term, by |-> cand[c].by]}
  /\ UNCHANGED <<store, cand, mark, raises, operator, faults, history>>
\* A write that shows a token nobody was given.
Typo(s) ==
  /\ Fault("typo") /\ writes' = writes \cup {[sink |-> s, token |-> MaxTerm, by |-> 0]}
  /\ UNCHANGED <<store, cand, mark, raises, operator, history>>
Admits(w) == IF ~Rule("fence") THEN TRUE
             ELSE IF Rule("only a raise lifts") THEN w.token = mark[w.sink].token ELSE w.token >= mark[w.sink].token
Deliver(w) ==
  /\ writes' = writes \ {w}
  /\ IF Admits(w)
     THEN /\ mark' = [mark EXCEPT ![w.sink] = Lifted(@, w.token, None)]
          /\ top' = [top EXCEPT ![w.sink] = w.token]
     ELSE UNCHANGED <<mark, top>>
  /\ UNCHANGED <<store, cand, raises, operator, faults, begun>>

Ending(c, f) == Become(c, [cand[c] EXCEPT !.role = "resigning", !.successor = None]) /\ f
\* Its own will, its health, its task's failure.
Resign(c) == Leading(c) /\ Ending(c, Fault("resign")) /\ UNCHANGED <<store, sinks, history>>
\* It sees a record that gives the term to nobody or to another, or that is frozen.
Notice(c) == /\ Leading(c) /\ (IF Holds(c) THEN record.frozen /\ Rule("the flag ends the term") ELSE TRUE)
             /\ Ending(c, UNCHANGED faults) /\ UNCHANGED <<store, sinks, history>>
\* It reads its marks again, or a sink tells it "older". Lower or absent: the sink came back from a backup.
Better(c, m) == m.token > cand[c].term \/ (m.owner = Freezer /\ Rule("a freeze's mark ends it")) \/ (m.token = cand[c].term /\ ~Owned(m, cand[c].term, c))
Superseded(c) == /\ Rule("older ends") /\ Leading(c)
                /\ \E s \in Guarded(c) : Better(c, mark[s]) /\
                     Become(c, [Met(cand[c], mark[s]) EXCEPT !.role = "resigning", !.successor = None])
                /\ UNCHANGED <<store, sinks, faults, history>>
RaiseAgain(c, s) ==
  /\ Rule("raise again") /\ Believes(c) /\ s \in Guarded(c) /\ mark[s].token < cand[c].term /\ ~Better(c, mark[s])
  /\ mark' = [mark EXCEPT ![s] = Lifted(@, cand[c].term, c)]
  /\ UNCHANGED <<store, cand, raises, writes, operator, faults, history>>
StopTask(c) ==
  /\ cand[c].task /\ cand[c].role \notin {"leader", "fencing"}
  /\ Become(c, [cand[c] EXCEPT !.task = FALSE, !.role = IF @ = "transferring" THEN "resigning" ELSE @])
  /\ UNCHANGED <<store, sinks, faults, history>>

SendVacate(c) ==
  LET me == cand[c] IN
  /\ me.role = "resigning" /\ Idle(c)
  /\ Rule("stop first") /\ ~Switch => ~me.task
  /\ IF Rule("own term") THEN Holds(c) ELSE record.leader # None
  /\ Send(c, "vacate", [record EXCEPT !.leader = None, !.lease = 0,
       !.request = IF me.successor # None THEN [to |-> me.successor, term |-> me.term] ELSE @,
       !.term   = Greatest(c),
       !.frozen = (@ /\ Rule("keep the flag")) \/ (me.latched /\ Rule("set the flag again")),
       !.number = IF me.latched THEN Max({@, me.above}) ELSE @])
  /\ UNCHANGED <<store, sinks, faults, history>>
Ended(c) ==
  LET me == cand[c] IN
  /\ me.role = "resigning" /\ Idle(c) /\ ~Holds(c) /\ (Rule("one task") => ~me.task)
  /\ Become(c, [Left(me) EXCEPT !.role = "candidate"])
  /\ UNCHANGED <<store, sinks, faults, history>>

\* The operator names a successor. A request stands until the next claim clears it, or whoever refuses or aborts it.
Ask(d) ==
  /\ record.leader \notin {None, d} /\ ~record.frozen /\ Fault("transfer")
  /\ record' = Written([record EXCEPT !.request = [to |-> d, term |-> record.term]])
  /\ UNCHANGED <<alive, backup, cand, sinks, history>>
\* As far as the leader can see: enlisted, its lease alive, and it brings every sink. It may have crashed all the same.
Fit(d) == /\ Rule("the successor lives") => cand[d].role # "closed" /\ <<d, cand[d].lease>> \in alive
          /\ Rule("the successor brings every sink") => record.sinks \subseteq Guarded(d)
Asked(c) == /\ cand[c].role = "leader" /\ Idle(c) /\ Holds(c) /\ record.request.to \notin {None, c}
            /\ Rule("a request names its term") => record.request.term = cand[c].term
Heed(c) ==
  /\ Asked(c) /\ Fit(record.request.to)
  /\ Become(c, [cand[c] EXCEPT !.role = "transferring", !.successor = record.request.to])
  /\ UNCHANGED <<store, sinks, faults, history>>
Cleared(c) == [at |-> "sent", kind |-> "clear", expect |-> record, next |-> [record EXCEPT !.request = NoRequest]]
Refuse(c) ==
  /\ Asked(c) /\ ~Fit(record.request.to) /\ Rule("whoever aborts clears the request")
  /\ Become(c, [cand[c] EXCEPT !.swap = Cleared(c)])
  /\ UNCHANGED <<store, sinks, faults, history>>
\* The same term goes on: the task does not stop in time, or the successor is no longer fit.
Abort(c) ==
  /\ cand[c].role = "transferring" /\ cand[c].task /\ Idle(c)
  /\ IF Fit(cand[c].successor) THEN Fault("abort") ELSE UNCHANGED faults
  /\ Become(c, [cand[c] EXCEPT !.role = "leader", !.successor = None,
                 !.swap = IF Rule("whoever aborts clears the request") /\ Holds(c) THEN Cleared(c) ELSE @])
  /\ UNCHANGED <<store, sinks, history>>

-----------------------------------------------------------------------------
(* Leases and processes *)
\* A task that will not stop, where that is not switched on. Its session is shared and would be renewed for ever.
Stalled(c) == /\ Rule("a stalled task ends its session") /\ ~Switch
              /\ "stall" \in May /\ cand[c].role = "resigning" /\ cand[c].task /\ cand[c].under = cand[c].lease
Known(c)   == <<c, cand[c].lease>> \in alive
Lapse(c) ==
  /\ cand[c].valid /\ cand[c].role # "gone"
  /\ IF Known(c) /\ ~Stalled(c) THEN Fault("lapse") ELSE UNCHANGED faults
  /\ Become(c, [cand[c] EXCEPT !.valid = FALSE,
                  !.role = IF @ \in {"leader", "transferring"} /\ Rule("no revival") THEN "resigning" ELSE @])
  /\ UNCHANGED <<store, sinks, history>>
\* A keep-alive is answered after validUntil: good for terms to come, not for this one.
Renew(c) ==
  /\ ~cand[c].valid /\ Known(c) /\ cand[c].role # "gone" /\ ~Stalled(c)
  /\ Rule("no revival") => cand[c].role \notin {"leader", "transferring", "fencing"}
  /\ Become(c, [cand[c] EXCEPT !.valid = TRUE])
  /\ UNCHANGED <<store, sinks, faults, history>>
Die(l) ==
  /\ \/ l[2] # cand[l[1]].lease \/ ~cand[l[1]].valid \/ "untimely" \in May
  /\ alive' = alive \ {l}
  /\ UNCHANGED <<record, backup, cand, sinks, faults, history>>
\* The session is told that its lease is lost, and is granted another.
Regrant(c) ==
  LET me == cand[c] IN
  /\ ~me.valid /\ ~Known(c) /\ me.lease < MaxLease /\ me.role # "gone"
  /\ alive' = alive \cup {<<c, me.lease + 1>>}
  /\ Become(c, [me EXCEPT !.lease = @ + 1, !.valid = TRUE])
  /\ UNCHANGED <<record, backup, sinks, faults, history>>
Withdrawn(me, role) == [me EXCEPT !.role = role, !.task = FALSE, !.swap = NoSwap,
                                  !.late = IF me.swap.at = "sent" THEN me.swap ELSE @]
Crash(c) ==
  /\ cand[c].role # "gone" /\ Fault("crash")
  /\ Become(c, [Withdrawn(cand[c], "gone") EXCEPT !.valid = FALSE])
  /\ UNCHANGED <<store, sinks, history>>
\* c no longer stands, but its process and so its lease live on, for other elections.
Close(c) ==
  /\ cand[c].role = "candidate" /\ Idle(c) /\ Fault("close")
  /\ Become(c, Withdrawn(cand[c], "closed"))
  /\ UNCHANGED <<store, sinks, history>>
\* The process closes and revokes its lease.
Revoke(c) ==
  /\ cand[c].role # "gone" /\ Fault("revoke")
  /\ Rule("revoke last") => ~cand[c].task /\ ~Leading(c)
  /\ alive' = alive \ {<<c, cand[c].lease>>}
  /\ Become(c, [Withdrawn(cand[c], "gone") EXCEPT !.valid = FALSE])
  /\ UNCHANGED <<record, backup, sinks, history>>
\* Broken: a process that comes back under its old id and recognises its old lease.
Return(c) ==
  /\ ~Rule("new id") /\ cand[c].role = "gone" /\ Known(c)
  /\ Become(c, [Winner(cand[c], record) EXCEPT !.valid = TRUE,
                 !.role = IF record.leader = c /\ record.lease = cand[c].lease THEN "fencing" ELSE "candidate"])
  /\ UNCHANGED <<store, sinks, faults, history>>

-----------------------------------------------------------------------------
(* Freeze and thaw, by operators *)
\* Its number is above the record's term, and above the marks too: after a restore a mark may be the greater.
\* A fresh nonce each time, also where the flag is set already.
FreezeNumber == Max({record.term} \cup IF Rule("freeze above the mark") THEN {mark[s].token : s \in record.sinks} ELSE {}) + 1
Freeze ==
  /\ Fault("freeze")
  /\ record' = IF record.frozen /\ ~Rule("freeze writes afresh") THEN record
               ELSE Written([record EXCEPT !.frozen = TRUE, !.number = FreezeNumber, !.rev = faults'])
  /\ operator' = [operator EXCEPT !.freezing = TRUE, !.shut = {}]
  /\ UNCHANGED <<alive, backup, cand, mark, raises, writes, history>>
\* A sink that refuses, because it was raised higher meanwhile, is not shut: freeze again.
FreezeRaise(s) ==
  LET m == Lifted(mark[s], record.number, Freezer) IN
  /\ operator.freezing /\ s \in record.sinks \ operator.shut
  /\ Rule("freeze above the mark") /\ Rule("a freeze passes a freeze") => m = [token |-> record.number, owner |-> Freezer]
  /\ mark' = [mark EXCEPT ![s] = m]
  /\ operator' = [operator EXCEPT !.shut = @ \cup {s}]
  /\ UNCHANGED <<store, cand, raises, writes, faults, history>>
LoseFreezeRaise(s) ==
  /\ operator.freezing /\ s \in record.sinks \ operator.shut /\ Fault("late raise")
  /\ raises' = raises \cup {[sink |-> s, token |-> record.number, owner |-> Freezer, saw |-> NoMark]}
  /\ UNCHANGED <<store, cand, mark, writes, operator, history>>
\* One lease after the freeze, and after a restore if that comes later, whoever believes, or may yet
\* begin, is named by the record and has a live lease. An assumption here, from which
\* NobodyLeadsOnceQuiet nearly follows: Lease.tla shows it for the preempted (SupersededStopsInTime),
\* nothing shows it for a lease that a restore forgot.
Waited == \A c \in Candidate : cand[c].role \in {"fencing", "leader", "transferring"} /\ cand[c].valid
                              => Holds(c) /\ Known(c)
Vacant == IF record.leader = None THEN TRUE ELSE Dead
Closed == record.frozen /\ operator.freezing /\ record.sinks \subseteq operator.shut
Quiet  == /\ record.frozen
          /\ \/ Vacant /\ (Rule("freeze waits a lease") => Waited)
             \/ ~Rule("closed is not quiet") /\ Closed

\* A thaw reads the marks, then the record; raises each sink to one number above them all and above the freeze's own,
\* on condition of the mark that it read; then swaps.
\* (Here it reads both at once: what changes between can only have its raise refused.)
Thaw(t) == operator' = [operator EXCEPT !.thaw = t]
ThawBegin ==
  /\ record.frozen /\ (Rule("thaw waits for a vacancy") => Vacant) /\ operator.thaw.at \in {"no", "late"}
  /\ operator' = [freezing |-> FALSE, shut |-> {},
                  thaw |-> [at |-> "raising", expect |-> record, marks |-> mark, opened |-> {}]]
  /\ UNCHANGED <<store, cand, mark, raises, writes, faults, history>>
ThawNumber ==
  Max({operator.thaw.marks[s].token : s \in Sink} \cup
      IF Rule("thaw above the freeze") THEN {operator.thaw.expect.term, operator.thaw.expect.number} ELSE {0}) + 1
ThawMark(s) == IF Rule("thaw raises by what it saw") THEN ThawNumber ELSE mark[s].token + 1
ThawRaise(s) ==
  LET t    == operator.thaw
      mine == [token |-> ThawMark(s), owner |-> Thawer]
      m    == Thawed(mark[s], ThawMark(s), t.marks[s])
  IN /\ Rule("thaw raises") /\ t.at = "raising" /\ s \in t.expect.sinks \ t.opened
     /\ mark' = [mark EXCEPT ![s] = m]
     /\ Thaw(IF m = mine THEN [t EXCEPT !.opened = @ \cup {s}] ELSE NoSwap)
     /\ UNCHANGED <<store, cand, raises, writes, faults, history>>
LoseThawRaise(s) ==
  /\ operator.thaw.at = "raising" /\ s \in operator.thaw.expect.sinks \ operator.thaw.opened /\ Fault("late raise")
  /\ raises' = raises \cup {[sink |-> s, token |-> ThawMark(s), owner |-> Thawer, saw |-> operator.thaw.marks[s]]}
  /\ UNCHANGED <<store, cand, mark, writes, operator, history>>
ThawSend ==
  LET t == operator.thaw IN
  /\ t.at = "raising" /\ (Rule("thaw raises") => t.opened = t.expect.sinks)
  /\ Thaw([at |-> "sent", expect |-> t.expect,
           next |-> [t.expect EXCEPT !.frozen = FALSE, !.number = 0, !.leader = None, !.lease = 0, !.request = NoRequest, !.rev = 0,
             !.term = IF Rule("thaw above the marks") THEN Max({@, ThawNumber}) ELSE @]])
  /\ UNCHANGED <<store, cand, mark, raises, writes, faults, history>>
ThawLand ==
  /\ operator.thaw.at \in {"sent", "late"}
  /\ record' = IF Same(operator.thaw.expect) THEN Written(operator.thaw.next) ELSE record
  /\ Thaw(NoSwap)
  /\ UNCHANGED <<alive, backup, cand, mark, raises, writes, faults, history>>
\* The operator's process dies; its swap may still land.
ThawDie ==
  /\ operator.thaw.at \in {"raising", "sent"} /\ Fault("thaw dies")
  /\ Thaw(IF operator.thaw.at = "sent" THEN [operator.thaw EXCEPT !.at = "late"] ELSE NoSwap)
  /\ UNCHANGED <<store, cand, mark, raises, writes, history>>

(* The store comes back as it was: the record rolls back, leases granted since are unknown,
   dead ones may live again. Sinks keep their marks. *)
Backup ==
  /\ "restore" \in May /\ backup.at = "none"
  /\ backup' = [at |-> "kept", record |-> record, alive |-> alive]
  /\ UNCHANGED <<record, alive, cand, sinks, faults, history>>
Restore ==
  /\ backup.at = "kept" /\ backup.record # record /\ Fault("restore")
  /\ record' = backup.record /\ alive' \in SUBSET backup.alive
  /\ backup' = [at |-> "used"]
  /\ UNCHANGED <<cand, sinks, history>>
(* A sink comes back as it was: it bears a mark of before, or none. *)
Earlier == {NoMark} \cup {[token |-> begun[i].term, owner |-> begun[i].leader] : i \in 1..Len(begun)}
           \cup IF "sink back frozen" \in May THEN {[token |-> 1, owner |-> Freezer]} ELSE {}
SinkBack(s) ==
  /\ Fault("sink back")
  /\ \E m \in Earlier : m.token < mark[s].token /\ mark' = [mark EXCEPT ![s] = m]
  /\ UNCHANGED <<store, cand, raises, writes, operator, history>>
\* Somebody raises a sink far above the term, by hand.
ByHand(s) ==
  /\ mark[s].owner # Freezer /\ Fault("by hand")
  /\ mark' = [mark EXCEPT ![s] = [token |-> @.token + 2, owner |-> None]]
  /\ UNCHANGED <<store, cand, raises, writes, operator, history>>

-----------------------------------------------------------------------------
Next ==
  \/ \E c \in Candidate :
       \/ Apply(c) \/ ApplyLate(c) \/ Hear(c) \/ TimeOut(c)
       \/ Claim(c) \/ Preempt(c) \/ Disown(c) \/ DisownUnheard(c)
       \/ Add(c) \/ Begin(c) \/ GiveUp(c)
       \/ Resign(c) \/ Notice(c) \/ Superseded(c) \/ StopTask(c) \/ SendVacate(c) \/ Ended(c)
       \/ Ask(c) \/ Heed(c) \/ Refuse(c) \/ Abort(c)
       \/ Lapse(c) \/ Renew(c) \/ Regrant(c) \/ Crash(c) \/ Close(c) \/ Revoke(c) \/ Return(c)
       \/ \E s \in Sink : Raise(c, s) \/ LoseRaise(c, s) \/ RaiseAgain(c, s) \/ Work(c, s)
  \/ \E l \in alive : Die(l)
  \/ \E w \in writes : Deliver(w)
  \/ \E r \in raises : LandRaise(r)
  \/ \E s \in Sink : \/ FreezeRaise(s) \/ LoseFreezeRaise(s) \/ ThawRaise(s) \/ LoseThawRaise(s)
                     \/ Typo(s) \/ SinkBack(s) \/ ByHand(s)
  \/ Freeze \/ ThawBegin \/ ThawSend \/ ThawLand \/ ThawDie \/ Backup \/ Restore
Spec == Init /\ [][Next]_vars
Symmetry == Permutations(Candidate) \cup Permutations(Sink)

-----------------------------------------------------------------------------
(* Always, whatever the clocks do *)
OneLeaderPerTerm ==
  \A c, d \in Candidate : Leading(c) /\ Leading(d) /\ cand[c].term = cand[d].term => c = d
TermsNeverRepeat ==
  \A i, j \in 1..Len(begun) : begun[i].term = begun[j].term => i = j
SinksAdmitInTermOrder == [][\A s \in Sink : top'[s] >= top[s]]_vars
\* Once a term has begun (every sink is raised to it), nothing sent under an older leadership is
\* admitted: not of a smaller term, nor of an earlier one that bore the same number.
Stale(w) == \E i \in 1..Len(begun) :
              \/ begun[i].term > w.token
              \/ begun[i].term = w.token /\ i > w.by
NothingStaleAfterTheRaise == [][\A w \in writes \ writes' : Admits(w) => ~Stale(w)]_vars

LeaseLives    == record.leader # None /\ ~Dead
Restored      == backup' # backup
Landed(c)     == \/ cand[c].swap.at = "sent" /\ cand'[c].swap.at = "accepted"
                 \/ cand[c].late.at = "sent" /\ cand'[c].late.at = "no"
Preempting(c) == \/ cand[c].swap.at = "sent" /\ cand[c].swap.kind = "preempt"
                 \/ cand[c].late.at = "sent" /\ cand[c].late.kind = "preempt"
Revoked(c)    == cand[c].valid /\ cand'[c].role = "gone" /\ Known(c) /\ <<c, cand[c].lease>> \notin alive'
NoUnfencedVacancyWhileTheTaskRuns ==
  [][(LeaseLives /\ ~Restored /\ (record'.leader = None \/ Revoked(record.leader)))
     => ~cand[record.leader].task \/ ("switch" \in May /\ Sink # {} /\ Rule("fence"))]_vars
\* A term whose lease lives ends by its owner's swap, or by a preempting one.
OnlyTheOwnerEndsItsTerm ==
  [][(LeaseLives /\ ~Restored /\ (record'.leader # record.leader \/ record'.term # record.term))
     => \/ Landed(record.leader)
        \/ \E c \in Candidate : Landed(c) /\ Preempting(c)]_vars
\* The part of it that a restore leaves standing: only the owner (or a thaw) vacates.
OnlyTheOwnerVacates ==
  [][(record.leader # None /\ record'.leader = None /\ ~Restored /\ ~record.frozen) => Landed(record.leader)]_vars
TermsOnlyGrow           == [][Restored \/ record'.term >= record.term]_vars
NobodyBeginsWhileQuiet  == [][Len(begun') > Len(begun) => ~Quiet]_vars
NobodyLeadsOnceQuiet    == Quiet => \A c \in Candidate : ~Believes(c)
NobodyWinsWhileFrozen   == [][Restored \/ (record.frozen /\ record'.frozen /\ record'.leader # None
                                          => record'.leader = record.leader /\ record'.term = record.term)]_vars
ClosedStaysClosed       == Closed => \A s \in record.sinks : mark[s].owner = Freezer
ClosedAdmitsNothing     == [][\A w \in writes \ writes' : Admits(w) => ~Closed]_vars
OnlyAThawPassesAFreeze          == [][\A s \in Sink : mark[s].owner = Freezer =>
                                mark'[s].owner \in {Freezer, Thawer} \/ faults' > faults]_vars
\* What clears the flag began after the last freeze.
ANewerFreezeStands      == [][record.frozen /\ ~record'.frozen /\ ~Restored => ~operator.freezing]_vars
\* Once a thaw has cleared the flag, no sink is closed any more.
NoLateFreezeUndoesAThaw == [][~record.frozen /\ ~operator.freezing =>
                               \A s \in Sink : mark'[s].owner = Freezer => mark[s].owner = Freezer \/ faults' > faults]_vars
OnlyTheOperatorThaws    == [][record.frozen /\ ~record'.frozen => \A c \in Candidate : ~Landed(c)]_vars
\* A mark costs one claim, not one claim for each number up to it.
Refused(c) == cand[c].above = 0 /\ cand[c].role = "fencing" /\ cand'[c].above > 0 /\ ~cand'[c].latched
NobodyMeetsAMarkTwice == [][\A c \in Candidate : Refused(c) => cand'[c].above > cand[c].met]_vars
NoMarkIsMetByTwo      == [][\A c, d \in Candidate : Refused(c) => cand'[c].above > cand[d].met]_vars
\* What the name says, and no protocol can keep: whoever has won learns of the flag later.
NobodyBeginsWhileTheFlagIsSet == [][Len(begun') > Len(begun) => ~record.frozen]_vars

(* Transfer *)
\* Where nothing goes wrong but a transfer: who is named is the next to lead.
TheSuccessorIsNext == [][record.leader = None /\ record.request.to # None
                         => record'.leader \in {None, record.request.to}]_vars
Heeds(c) == cand[c].role = "leader" /\ cand'[c].role = "transferring"
NobodyStopsForTheDead      == [][\A c \in Candidate : Heeds(c) =>
                                   LET d == record.request.to IN <<d, cand[d].lease>> \in alive]_vars
NobodyStopsForWhoCannotStand == [][\A c \in Candidate : Heeds(c) => record.sinks \subseteq Guarded(record.request.to)]_vars
OnlyTheTermAskedForIsTransferred == [][\A c \in Candidate : Heeds(c) => record.request.term = cand[c].term]_vars

(* Only with clocks within their bound, nobody preempting, no store restored *)
NoLeaderBeyondItsLease ==
  \A c \in Candidate : Believes(c) => Holds(c) /\ Known(c)
OneLeaderAtATime ==
  \A c, d \in Candidate : Believes(c) /\ Believes(d) => c = d
=============================================================================
