------------------------------- MODULE Stonith -------------------------------
(* Who may still act is on the record's list of holders, and is turned off before the next one begins.

   One election on true time. Each machine has one process, and the process one lease at a time. A
   process may stand still, or be cut off, and its task goes on: that is a step not taken. What a
   process knows of its guard is the lease itself, which is the most that Lease.tla allows. Swaps are
   atomic; sinks, and the order of candidates, are absent: Election.tla has those. *)
EXTENDS Naturals, FiniteSets

CONSTANTS
  Process,
  TTL,        \* length of a lease, in ticks
  Bound,      \* ticks that a fence agent has; then it has been killed
  Room,       \* holders that the list has room for
  MaxTerm,
  MaxBoots,   \* how often machines are turned on again, all together
  May,        \* "stands still": a machine, after its agent has looked at the clock
  Broken      \* rules left out; {} is the protocol as it should be

Rule(r) == r \notin Broken
None    == "none"
NoAgent == [term |-> 0, at |-> [term |-> 0, who |-> None], time |-> 0, done |-> FALSE]

VARIABLES
  record,     \* [term, leader, holders]: a holder is [term, who]
  left,       \* left[p]: time until p's lease expires
  won,        \* won[p]: the term that p won under that lease and has not vacated; 0 for none
  debt,       \* debt[p]: the holders before it that its claim found
  proofs,     \* proofs[p]: those of which its agent has said off, and the record does not know it yet
  acts,       \* acts[p]: the term whose task runs on p, also after p's lease; 0 for none
  agent,      \* agent[p]: of p's term, against that holder, for that time, has it turned it off; or NoAgent
  up, boots,  \* up[p]: p's machine is on; how often one was turned on again
  wrong       \* somebody was turned off by the agent of a term before its own

store   == <<record, left>>
process == <<won, debt, proofs, acts, agent>>
vars    == <<store, process, up, boots, wrong>>

Init ==
  /\ record = [term |-> 0, leader |-> None, holders |-> {}]
  /\ left = [p \in Process |-> TTL] /\ won = [p \in Process |-> 0]
  /\ debt = [p \in Process |-> {}] /\ proofs = [p \in Process |-> {}]
  /\ acts = [p \in Process |-> 0] /\ agent = [p \in Process |-> NoAgent]
  /\ up = [p \in Process |-> TRUE] /\ boots = 0 /\ wrong = FALSE

-----------------------------------------------------------------------------
\* Does the record name a leader whose lease lives?
Live    == record.leader # None /\ left[record.leader] > 0 /\ won[record.leader] = record.term
\* The record is that of p's term; so its swaps succeed.
Mine(p) == up[p] /\ won[p] # 0 /\ record.leader = p /\ record.term = won[p]
Works(p) == agent[p] # NoAgent

(* Time, leases, machines *)
Down(x) == IF x = 0 THEN 0 ELSE x - 1
\* Who kills an agent may stand still with its machine, and the agent's request to the power switch comes late.
AgentsAt(late) == [p \in Process |-> IF ~Works(p) \/ p \in late THEN agent[p]
                                     ELSE IF agent[p].time = 1 THEN NoAgent
                                     ELSE [agent[p] EXCEPT !.time = @ - 1]]
Tick == /\ left' = [p \in Process |-> Down(left[p])]
        /\ \E late \in (IF "stands still" \in May THEN SUBSET Process ELSE {{}}) : agent' = AgentsAt(late)
        /\ UNCHANGED <<record, won, debt, proofs, acts, up, boots, wrong>>
Renew(p) == /\ up[p] /\ left[p] \in 1..(TTL - 1) /\ left' = [left EXCEPT ![p] = TTL]
            /\ UNCHANGED <<record, process, up, boots, wrong>>
\* A new lease, after one that is over; a task of then may run on, and an agent, too.
Grant(p) == /\ up[p] /\ left[p] = 0 /\ left' = [left EXCEPT ![p] = TTL]
            /\ won' = [won EXCEPT ![p] = 0] /\ debt' = [debt EXCEPT ![p] = {}] /\ proofs' = [proofs EXCEPT ![p] = {}]
            /\ UNCHANGED <<record, acts, agent, up, boots, wrong>>

\* Nothing of a machine that is off acts. Its lease runs on.
IsOff(q) == /\ up' = [up EXCEPT ![q] = FALSE] /\ acts' = [acts EXCEPT ![q] = 0]
            /\ debt' = [debt EXCEPT ![q] = {}] /\ proofs' = [proofs EXCEPT ![q] = {}]
Crash(p) == /\ up[p] /\ IsOff(p) /\ agent' = [agent EXCEPT ![p] = NoAgent]
            /\ UNCHANGED <<store, won, boots, wrong>>
\* The lease of before counts as dead at once, which only lets others claim sooner.
Boot(p)  == /\ ~up[p] /\ boots < MaxBoots /\ boots' = boots + 1 /\ up' = [up EXCEPT ![p] = TRUE]
            /\ left' = [left EXCEPT ![p] = 0] /\ won' = [won EXCEPT ![p] = 0]
            /\ UNCHANGED <<record, debt, proofs, acts, agent, wrong>>

-----------------------------------------------------------------------------
(* A term *)
Oldest(holders) == CHOOSE h \in holders : \A other \in holders : h.term <= other.term
\* A process knows of itself that its task has returned, or that its machine has booted since.
Claim(p) ==
  /\ up[p] /\ left[p] > 0 /\ won[p] = 0 /\ acts[p] = 0 /\ ~Works(p) /\ ~Live /\ record.term < MaxTerm
  /\ LET term    == record.term + 1
         others  == {h \in record.holders : h.who # p}
         isFull  == Cardinality(others) >= Room
         carried == IF isFull THEN others \ {Oldest(others)} ELSE others
     IN /\ isFull => ~Rule("room")
        /\ record' = [term |-> term, leader |-> p, holders |-> carried \cup {[term |-> term, who |-> p]}]
        /\ won' = [won EXCEPT ![p] = term] /\ debt' = [debt EXCEPT ![p] = carried]
  /\ UNCHANGED <<left, proofs, acts, agent, up, boots, wrong>>

\* Only while the guard holds for all the time that the agent may take.
StartAgent(p, h) ==
  /\ up[p] /\ won[p] # 0 /\ h \in debt[p] \ proofs[p] /\ ~Works(p) /\ (Rule("guard") => left[p] >= Bound)
  /\ agent' = [agent EXCEPT ![p] = [term |-> won[p], at |-> h, time |-> Bound, done |-> FALSE]]
  /\ UNCHANGED <<store, won, debt, proofs, acts, up, boots, wrong>>
TurnOff(p) ==
  /\ Works(p) /\ ~agent[p].done
  /\ LET q == agent[p].at.who
     IN /\ IsOff(q)
        /\ agent' = [agent EXCEPT ![p].done = TRUE, ![q] = NoAgent]
        /\ wrong' = (wrong \/ acts[q] > agent[p].term \/ (Live /\ record.leader = q /\ record.term > agent[p].term))
  /\ UNCHANGED <<store, won, boots>>
\* The agent says off, or it fails.
EndAgent(p) ==
  /\ Works(p) /\ agent' = [agent EXCEPT ![p] = NoAgent]
  /\ \/ agent[p].done /\ won[p] = agent[p].term /\ proofs' = [proofs EXCEPT ![p] = @ \cup {agent[p].at}]
     \/ UNCHANGED proofs
  /\ UNCHANGED <<store, won, debt, acts, up, boots, wrong>>
Settle(p) ==
  /\ Mine(p) /\ proofs[p] # {} /\ record' = [record EXCEPT !.holders = @ \ proofs[p]]
  /\ debt' = [debt EXCEPT ![p] = @ \ proofs[p]] /\ proofs' = [proofs EXCEPT ![p] = {}]
  /\ UNCHANGED <<left, won, acts, agent, up, boots, wrong>>

Owed(p) == {h \in record.holders : h.term # won[p]}
Begin(p) == /\ Mine(p) /\ left[p] > 0 /\ acts[p] = 0 /\ ~Works(p) /\ (Rule("proof") => Owed(p) = {})
            /\ acts' = [acts EXCEPT ![p] = won[p]]
            /\ UNCHANGED <<store, won, debt, proofs, agent, up, boots, wrong>>
Stop(p)  == /\ acts[p] # 0 /\ acts' = [acts EXCEPT ![p] = 0]
            /\ UNCHANGED <<store, won, debt, proofs, agent, up, boots, wrong>>
\* Whose task still runs, where the sinks refuse its writes, stays on the list.
Vacate(p) ==
  /\ Mine(p) /\ (Rule("agent has ended") => ~Works(p))
  /\ LET carried == IF Rule("debt") THEN record.holders \ proofs[p] ELSE {}
         own     == {h \in record.holders : h.who = p}
     IN record' = [record EXCEPT !.leader = None, !.holders = IF acts[p] = 0 THEN carried \ own ELSE carried \cup own]
  /\ won' = [won EXCEPT ![p] = 0] /\ debt' = [debt EXCEPT ![p] = {}] /\ proofs' = [proofs EXCEPT ![p] = {}]
  /\ UNCHANGED <<left, acts, agent, up, boots, wrong>>

\* A person has seen that machine off. Nobody confirms a leader whose lease lives.
Confirm(h) == /\ ~up[h.who] /\ ~(Live /\ record.term = h.term) /\ record' = [record EXCEPT !.holders = @ \ {h}]
              /\ UNCHANGED <<left, process, up, boots, wrong>>

Next == \/ Tick
        \/ \E h \in record.holders : Confirm(h)
        \/ \E p \in Process :
             \/ Renew(p) \/ Grant(p) \/ Crash(p) \/ Boot(p)
             \/ Claim(p) \/ TurnOff(p) \/ EndAgent(p) \/ Settle(p) \/ Begin(p) \/ Stop(p) \/ Vacate(p)
             \/ \E h \in debt[p] : StartAgent(p, h)
Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
WhoActsIsListed            == \A p \in Process : acts[p] # 0 => [term |-> acts[p], who |-> p] \in record.holders
NobodyBeginsBesideAHolder  == \A p, q \in Process : p # q => ~(acts[p] # 0 /\ acts[q] # 0)
NobodyTurnsOffWhoCameAfter == ~wrong
TheListHasRoom             == Cardinality(record.holders) <= Room
=============================================================================
