------------------------------ MODULE Features ------------------------------
(* What a record requires, among candidates of two versions: those in Knows know the one
   feature there is, the others do not. The leader adds it; a hand, or a restored store,
   may have the record require it at any time.

   The record is reduced to its revision, its leader and whether it requires the feature.
   Every write compares the revision that its writer has seen. *)
EXTENDS Naturals, FiniteSets

CONSTANTS Candidate, Knows, MaxRevision, Hands, Broken

Nobody == "nobody"
VARIABLES record, seen, line, asked, up, lockedOut, touched
vars == <<record, seen, line, asked, up, lockedOut, touched>>

Unknown(c, r) == r.requires /\ c \notin Knows
Leads(c)      == record.leader = c
\* The lease of a process that is down is dead.
Vacant(r)     == r.leader \notin up
Rule(r)       == r \notin Broken

Init == /\ record = [rev |-> 0, leader |-> Nobody, requires |-> FALSE]
        /\ seen = [c \in Candidate |-> record] /\ line = {} /\ asked = [c \in Candidate |-> {}]
        /\ up = Candidate /\ lockedOut = {} /\ touched = FALSE

Write(c, leader, requires) ==
  /\ c \in up /\ seen[c].rev = record.rev /\ record.rev < MaxRevision
  /\ record' = [rev |-> record.rev + 1, leader |-> leader, requires |-> requires]
  /\ seen' = [seen EXCEPT ![c] = record']

\* Whoever does not know what is required leaves the list.
Read(c) == /\ c \in up /\ seen[c] # record /\ seen' = [seen EXCEPT ![c] = record]
           /\ line' = IF Unknown(c, record) /\ Rule("stand") THEN line \ {c} ELSE line
           /\ UNCHANGED <<record, asked, up, lockedOut, touched>>
Enlist(c) == /\ c \in up /\ c \notin line /\ (Rule("stand") => ~Unknown(c, seen[c])) /\ line' = line \cup {c}
             /\ UNCHANGED <<record, seen, asked, up, lockedOut, touched>>
Claim(c) == /\ c \in line /\ Vacant(seen[c]) /\ Vacant(record) /\ (Rule("stand") => ~Unknown(c, seen[c]))
            /\ Write(c, c, record.requires)
            /\ asked' = [asked EXCEPT ![c] = {}] /\ UNCHANGED <<line, up, lockedOut, touched>>

\* The leader reads who is enlisted; some later time it adds, if all of those know the feature.
Ask(c) == /\ c \in up /\ (Rule("leader adds") => Leads(c)) /\ asked[c] = {} /\ line # {} /\ asked' = [asked EXCEPT ![c] = line]
          /\ UNCHANGED <<record, seen, line, up, lockedOut, touched>>
Add(c) == /\ c \in Knows /\ asked[c] # {} /\ ~record.requires
          /\ Rule("leader adds") => Leads(c)
          /\ Rule("all support") => asked[c] \subseteq Knows
          /\ Write(c, record.leader, TRUE)
          /\ lockedOut' = lockedOut \cup (asked[c] \ Knows)
          /\ UNCHANGED <<line, asked, up, touched>>
AskAgain(c) == /\ asked[c] # {} /\ asked' = [asked EXCEPT ![c] = {}] /\ UNCHANGED <<record, seen, line, up, lockedOut, touched>>

\* A leader gives up at will, and must where it does not know what is required; it carries through what it does not know.
Vacate(c) == /\ Leads(c) /\ (Unknown(c, seen[c]) => Rule("stop"))
             /\ Write(c, Nobody, record.requires /\ (Rule("carry") \/ ~Unknown(c, record)))
             /\ UNCHANGED <<line, asked, up, lockedOut, touched>>

Hand == /\ ~touched /\ Hands /\ record.leader # Nobody /\ ~record.requires /\ touched' = TRUE
        /\ record' = [record EXCEPT !.rev = @ + 1, !.requires = TRUE] /\ UNCHANGED <<seen, line, asked, up, lockedOut>>
Crash(c) == /\ Cardinality(up) > 1 /\ up' = up \ {c} /\ line' = line \ {c}
            /\ UNCHANGED <<record, seen, asked, lockedOut, touched>>

Next == Hand \/ \E c \in Candidate :
          Read(c) \/ Enlist(c) \/ Claim(c) \/ Ask(c) \/ Add(c) \/ AskAgain(c) \/ Vacate(c) \/ Crash(c)
Spec == Init /\ [][Next]_vars
        /\ \A c \in Candidate : WF_vars(Read(c)) /\ WF_vars(Vacate(c) /\ Unknown(c, seen[c]))

WhoLeadsKnowsWhatIsRequired == Leads(record.leader) /\ record.requires /\ ~touched /\ record.leader # Nobody => record.leader \in Knows
WhoWasEnlistedMayStand      == lockedOut = {}
WhatIsRequiredStaysRequired == [][record.requires => record'.requires]_vars
WhoDoesNotKnowStops         == []((record.leader \in up /\ Unknown(record.leader, record) /\ record.rev < MaxRevision)
                                  => <>(~(record.leader \in up /\ Unknown(record.leader, record)) \/ record.rev = MaxRevision))
=============================================================================
