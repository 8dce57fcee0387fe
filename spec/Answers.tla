------------------------------ MODULE Answers ------------------------------
(* What an answer may be taken for when it comes late, and how a process learns that
   the store was restored.

   One process reads a record, watches it and now and then wins it; others swap it too.
   The store tells with each reading the position that it stands for. A watch, and an answer,
   never lead back to an earlier position, unless the store itself went back. *)
EXTENDS Naturals

CONSTANTS MaxPosition, May, Broken
Rule(r) == r \notin Broken

VARIABLES
  record,   \* [at, term, mine]: its position, its term, and whether that is the process's own
  backup,   \* what the store may be restored to: a record, or none (position 0) once it was
  restored, \* it was restored
  known,    \* the record as the process knows it
  term,     \* the term that the process holds, 0 for none
  read      \* [step, floor, held, record]: a read, the position known and the term held when it was sent, what it read
vars == <<record, backup, restored, known, term, read>>

First == [at |-> 1, term |-> 0, mine |-> FALSE]
None  == [at |-> 0, term |-> 0, mine |-> FALSE]
Quiet == [step |-> "no", floor |-> 0, held |-> 0, record |-> None]
Names(r) == r.mine /\ r.term = term

Init == /\ record = First /\ backup = First /\ restored = FALSE
        /\ known = First /\ term = 0 /\ read = Quiet

Swapped(new, mine) == [at |-> record.at + 1, term |-> record.term + new, mine |-> mine]
\* Somebody else wins a term, or changes something besides.
Others == /\ record.at < MaxPosition
          /\ record' \in {Swapped(1, FALSE), Swapped(0, record.mine)}
          /\ UNCHANGED <<backup, restored, known, term, read>>
Win    == /\ record.at < MaxPosition /\ term = 0 /\ ~record.mine /\ known = record
          /\ record' = Swapped(1, TRUE) /\ known' = record' /\ term' = record'.term
          /\ UNCHANGED <<backup, restored, read>>
Restore == /\ "restore" \in May /\ ~restored /\ backup.at < record.at
           /\ restored' = TRUE /\ record' = backup /\ UNCHANGED <<backup, known, term, read>>
Backup  == /\ "restore" \in May /\ ~restored /\ backup' = record /\ UNCHANGED <<record, restored, known, term, read>>

\* After a restore positions are counted again, and may have come up to the one already known: not older is taken.
NotOlder(r) == r.at > known.at \/ (r.at = known.at /\ Rule("an equal position is taken"))
Watch == /\ NotOlder(record) /\ record # known /\ known' = record /\ term' = IF Names(record) THEN term ELSE 0
         /\ UNCHANGED <<record, backup, restored, read>>
Send  == /\ read.step = "no" /\ read' = [step |-> "sent", floor |-> known.at, held |-> term, record |-> None]
         /\ UNCHANGED <<record, backup, restored, known, term>>
Serve == /\ read.step = "sent" /\ read' = [read EXCEPT !.step = "answered", !.record = record]
         /\ UNCHANGED <<record, backup, restored, known, term>>
\* An answer behind what was known before its request left: the store went back.
WentBack(r) == /\ Rule("behind means restored")
               /\ r.at < IF Rule("positions seen before it left") THEN read.floor ELSE known.at
Hear ==
  LET r == read.record
  IN /\ read.step = "answered" /\ read' = Quiet
     /\ known' = IF NotOlder(r) \/ WentBack(r) THEN r ELSE known
     /\ term'  = IF (Rule("terms won before it left") => read.held = term) /\ ~Names(r) THEN 0 ELSE term
     /\ UNCHANGED <<record, backup, restored>>

Next == Others \/ Win \/ Restore \/ Backup \/ Watch \/ Send \/ Serve \/ Hear
Spec == Init /\ [][Next]_vars /\ WF_vars(Send) /\ WF_vars(Serve) /\ WF_vars(Hear)

NoTermEndsWithoutCause   == [][term # 0 /\ term' = 0 /\ ~restored => ~Names(record)]_vars
GoesBackOnlyAfterARestore == [][known'.at < known.at => restored]_vars
KnowsTheRecordInTheEnd   == <>[](known = record)
=============================================================================
