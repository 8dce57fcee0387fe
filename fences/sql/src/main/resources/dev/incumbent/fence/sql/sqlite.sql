-- The sink's side of fencing in SQLite. Runs again without harm. Written for SQLite 3.16 and later, since every client of the file parses it:
-- no STRICT table, no upsert, no RAISE with an expression.

CREATE TABLE IF NOT EXISTS incumbent_sink(
  one INTEGER PRIMARY KEY CHECK (one = 1),
  id TEXT NOT NULL
);
INSERT INTO incumbent_sink(one, id)
  SELECT 1, lower(hex(randomblob(16))) WHERE NOT EXISTS (SELECT 1 FROM incumbent_sink);

CREATE TABLE IF NOT EXISTS incumbent_fence(
  election TEXT NOT NULL PRIMARY KEY,
  token INTEGER NOT NULL CHECK (typeof(token) = 'integer' AND token >= 1),
  owner TEXT NOT NULL,
  raised_at TEXT NOT NULL
);

-- The user's tables that refuse unadmitted writes.
CREATE TABLE IF NOT EXISTS incumbent_guard(
  guarded TEXT NOT NULL PRIMARY KEY COLLATE NOCASE,
  election TEXT NOT NULL
);

-- Admission, first in a transaction: INSERT INTO incumbent_admit(election, token) VALUES ('billing', 7);
-- Writing to a view takes the write lock, so no raise comes between it and the commit.
CREATE VIEW IF NOT EXISTS incumbent_admit(election, token) AS SELECT election, token FROM incumbent_fence;
CREATE TRIGGER IF NOT EXISTS incumbent_admit_decides INSTEAD OF INSERT ON incumbent_admit
BEGIN
  SELECT RAISE(ABORT, 'IF001 stale token: a later term has raised this sink')
    FROM incumbent_fence
    WHERE election = NEW.election AND typeof(NEW.token) = 'integer' AND NEW.token < token;
  SELECT RAISE(ABORT, 'IF002 not raised: no leader has raised this sink to that token')
    WHERE NOT EXISTS (
      SELECT 1 FROM incumbent_fence
      WHERE election = NEW.election AND typeof(NEW.token) = 'integer' AND NEW.token = token);
END;

-- A raise: INSERT INTO incumbent_raise(election, token, owner) VALUES ('billing', 8, 'operator:me');
-- The rule of dev.incumbent.fence.MarkRule; a test compares the two. Conflict clauses would be overruled by the client's own (INSERT OR ...).
CREATE VIEW IF NOT EXISTS incumbent_raise(election, token, owner) AS SELECT election, token, owner FROM incumbent_fence;
CREATE TRIGGER IF NOT EXISTS incumbent_raise_decides INSTEAD OF INSERT ON incumbent_raise
BEGIN
  SELECT RAISE(ABORT, 'IF006 unreadable raise: an election, a token of at least 1, and an owner as candidate:ID, freeze:WHO, thaw:SAW:WHO or operator:WHO')
    WHERE typeof(NEW.election) <> 'text' OR NEW.election = ''
      OR typeof(NEW.token) <> 'integer' OR NEW.token < 1
      OR typeof(NEW.owner) <> 'text'
      OR NOT (NEW.owner GLOB 'candidate:?*' OR NEW.owner GLOB 'freeze:?*' OR NEW.owner GLOB 'operator:?*' OR NEW.owner GLOB 'thaw:[0-9]*:?*');
  SELECT RAISE(ABORT, 'IF004 raise refused: another mark stands in the way')
    FROM incumbent_fence AS f
    WHERE f.election = NEW.election
      AND NOT (f.token = NEW.token AND f.owner = NEW.owner)
      AND (f.token >= NEW.token
        OR (f.owner GLOB 'freeze:*' AND NOT (NEW.owner GLOB 'freeze:*' OR NEW.owner GLOB 'thaw:' || f.token || ':*')));
  SELECT RAISE(ABORT, 'IF005 raise too far: it would lift the mark by more than 4294967296')
    WHERE NEW.token - coalesce((SELECT token FROM incumbent_fence WHERE election = NEW.election), 0) > 4294967296;
  UPDATE incumbent_fence
    SET token = NEW.token, owner = NEW.owner, raised_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
    WHERE election = NEW.election AND token < NEW.token;
  INSERT INTO incumbent_fence(election, token, owner, raised_at)
    SELECT NEW.election, NEW.token, NEW.owner, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
    WHERE NOT EXISTS (SELECT 1 FROM incumbent_fence WHERE election = NEW.election);
END;
