#!/bin/sh
# write.sh ELECTION: the work of owner.sh. Writes one row into PostgreSQL, in one transaction with the admission of TOKEN.
# PGHOST, PGUSER, PGDATABASE and so on name the database.
psql -X -q -v ON_ERROR_STOP=1 -v election="$1" -v token="$TOKEN" -v number="$(date +%s)" << 'END' > /dev/null
BEGIN;
SELECT incumbent.admit(:'election', :token);
INSERT INTO ledger(token, number) VALUES (:token, :number);
COMMIT;
END
