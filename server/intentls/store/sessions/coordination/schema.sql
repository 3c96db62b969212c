-- The tables of coordination, as numbered migrations. Each is applied once, in order, in one transaction with its number.
-- A line "-- migration N" begins each; what stands above the first is a comment. Never change one that was released.
--
-- Names (paths, ids of sessions and intents) are in `about`, as JSON in ASCII: any name has a form there, and no name is
-- ever part of a statement. Nothing in these tables is worth a backup: it is true for minutes only.

-- migration 1
CREATE TABLE intentls.migrations (
    number  integer PRIMARY KEY,
    applied timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Which role may use which repository; a repository is known by the id of its root commit.
CREATE TABLE intentls.repositories (
    id   text NOT NULL CHECK (id ~ '^[0-9a-f]{40,64}$'),
    role name NOT NULL,
    PRIMARY KEY (id, role)
);

-- One row for each path that was ever held. A row whose `until` has passed is free; it stays, so that `fence` only grows.
CREATE TABLE intentls.leases (
    repository text NOT NULL,
    key        bytea NOT NULL CHECK (octet_length(key) = 32),
    area       bytea NOT NULL CHECK (octet_length(area) = 32),
    holder     bytea NOT NULL CHECK (octet_length(holder) = 32),
    fence      bigint NOT NULL,
    since      timestamptz NOT NULL,
    renewed    timestamptz NOT NULL,
    until      timestamptz NOT NULL CHECK (until <= renewed + interval '7 days'),
    intent     text NOT NULL CHECK (octet_length(intent) <= 8192),
    about      text NOT NULL CHECK (octet_length(about) <= 65536),
    PRIMARY KEY (repository, key)
) WITH (fillfactor = 70);

CREATE TABLE intentls.sessions (
    repository text NOT NULL,
    holder     bytea NOT NULL CHECK (octet_length(holder) = 32),
    area       bytea NOT NULL CHECK (octet_length(area) = 32),
    place      bytea NOT NULL CHECK (octet_length(place) = 32),
    since      timestamptz NOT NULL,
    seen       timestamptz NOT NULL,
    about      text NOT NULL CHECK (octet_length(about) <= 65536),
    PRIMARY KEY (repository, holder)
) WITH (fillfactor = 70);

ALTER TABLE intentls.repositories ENABLE ROW LEVEL SECURITY;
ALTER TABLE intentls.leases ENABLE ROW LEVEL SECURITY;
ALTER TABLE intentls.sessions ENABLE ROW LEVEL SECURITY;

CREATE POLICY own_role ON intentls.repositories FOR SELECT
    USING (role IN (SELECT rolname FROM pg_catalog.pg_roles WHERE pg_catalog.pg_has_role(oid, 'USAGE')));
CREATE POLICY own_repositories ON intentls.leases
    USING (repository IN (SELECT id FROM intentls.repositories));
CREATE POLICY own_repositories ON intentls.sessions
    USING (repository IN (SELECT id FROM intentls.repositories));

-- migration 2
-- Which roles may answer questions of a repository. A role of agents' machines that is not among them proves by that
-- alone that an answer came from somewhere else.
CREATE TABLE intentls.answerers (
    repository text NOT NULL,
    role       name NOT NULL,
    PRIMARY KEY (repository, role)
);

-- A question is about names, paths and ids; it is closed by the place that asked it.
CREATE TABLE intentls.questions (
    repository text NOT NULL,
    key        bytea NOT NULL CHECK (octet_length(key) = 32),
    area       bytea NOT NULL CHECK (octet_length(area) = 32),
    place      bytea NOT NULL CHECK (octet_length(place) = 32),
    asked      timestamptz NOT NULL,
    until      timestamptz NOT NULL CHECK (until <= asked + interval '1 day'),
    about      text NOT NULL CHECK (octet_length(about) <= 65536),
    closed     timestamptz,
    is_taken   boolean,
    PRIMARY KEY (repository, key)
);

-- The first answer to a question: a second one has the same key. Its role and time are the database's own word, since
-- nobody may write them.
CREATE TABLE intentls.answers (
    repository text NOT NULL,
    key        bytea NOT NULL,
    place      bytea NOT NULL CHECK (octet_length(place) = 32),
    digest     bytea NOT NULL CHECK (octet_length(digest) = 32),
    action     text NOT NULL CHECK (octet_length(action) <= 100),
    about      text NOT NULL CHECK (octet_length(about) <= 4096),
    role       name NOT NULL DEFAULT session_user,
    given      timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (repository, key),
    FOREIGN KEY (repository, key) REFERENCES intentls.questions ON DELETE CASCADE
);

-- The places where a person sees questions.
CREATE TABLE intentls.listeners (
    repository text NOT NULL,
    area       bytea NOT NULL CHECK (octet_length(area) = 32),
    place      bytea NOT NULL CHECK (octet_length(place) = 32),
    seen       timestamptz NOT NULL,
    PRIMARY KEY (repository, area, place)
);

ALTER TABLE intentls.answerers ENABLE ROW LEVEL SECURITY;
ALTER TABLE intentls.questions ENABLE ROW LEVEL SECURITY;
ALTER TABLE intentls.answers ENABLE ROW LEVEL SECURITY;
ALTER TABLE intentls.listeners ENABLE ROW LEVEL SECURITY;

CREATE POLICY own_role ON intentls.answerers FOR SELECT
    USING (role IN (SELECT rolname FROM pg_catalog.pg_roles WHERE pg_catalog.pg_has_role(oid, 'USAGE')));
CREATE POLICY own_repositories ON intentls.questions
    USING (repository IN (SELECT id FROM intentls.repositories));
CREATE POLICY own_repositories ON intentls.answers FOR SELECT
    USING (repository IN (SELECT id FROM intentls.repositories));
CREATE POLICY unanswered ON intentls.answers FOR DELETE
    USING (repository IN (SELECT id FROM intentls.repositories));
CREATE POLICY answerers ON intentls.answers FOR INSERT
    WITH CHECK (repository IN (SELECT id FROM intentls.repositories)
                AND repository IN (SELECT repository FROM intentls.answerers));
CREATE POLICY own_repositories ON intentls.listeners FOR SELECT
    USING (repository IN (SELECT id FROM intentls.repositories));
CREATE POLICY answerers ON intentls.listeners
    USING (repository IN (SELECT id FROM intentls.repositories)
           AND repository IN (SELECT repository FROM intentls.answerers));
