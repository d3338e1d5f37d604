-- Version 1 of the tables of @sandagent/postgres. It needs Postgres 13 or newer, and an empty schema that comes first in the
-- search_path.

CREATE TABLE migrations (
  version integer PRIMARY KEY,
  applied_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE migrations IS 'The files that were applied';

-- Only runners write it.
CREATE TABLE questions (
  namespace text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  tool_call_id text NOT NULL,
  record text NOT NULL,
  run_id text NOT NULL,
  asked_at_ms bigint NOT NULL,
  is_settled boolean NOT NULL,
  version uuid NOT NULL,
  written xid8 NOT NULL,
  written_at timestamptz NOT NULL,
  PRIMARY KEY (namespace, key)
);
COMMENT ON COLUMN questions.key IS 'The tool call id; of a long one its beginning and its hash';
COMMENT ON COLUMN questions.tool_call_id IS 'Escaped as in JSON';
COMMENT ON COLUMN questions.asked_at_ms IS 'Milliseconds since 1970';
COMMENT ON COLUMN questions.version IS 'Another one after each write';
COMMENT ON COLUMN questions.written IS 'The transaction that wrote the row last';

-- Only hosts write it.
CREATE TABLE answers (
  namespace text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  tool_call_id text NOT NULL,
  answer text NOT NULL,
  version uuid NOT NULL,
  written xid8 NOT NULL,
  written_at timestamptz NOT NULL,
  PRIMARY KEY (namespace, key)
);

-- Only hosts write it.
CREATE TABLE runs (
  key text COLLATE "C" PRIMARY KEY,
  run json NOT NULL,
  started_at text NOT NULL,
  ended_at text
);

CREATE INDEX questions_listed ON questions (namespace, asked_at_ms, key);
CREATE INDEX questions_unsettled ON questions (namespace, asked_at_ms, key) WHERE NOT is_settled;
CREATE INDEX questions_unsettled_of_all ON questions (asked_at_ms, namespace, key) WHERE NOT is_settled;
CREATE INDEX questions_settled ON questions (written_at) WHERE is_settled;
CREATE INDEX questions_written ON questions (written);
CREATE INDEX answers_written ON answers (written);

CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := gen_random_uuid();
  NEW.written := pg_current_xact_id();
  NEW.written_at := clock_timestamp();
  RETURN NEW;
END
$$;
CREATE TRIGGER stamp BEFORE INSERT OR UPDATE ON questions FOR EACH ROW EXECUTE FUNCTION stamp();
CREATE TRIGGER stamp BEFORE INSERT OR UPDATE ON answers FOR EACH ROW EXECUTE FUNCTION stamp();

-- Both writers of a question take this lock, one after the other. The second one gets it after the commit of the first. Its
-- next statement has a snapshot of its own, so it sees what the first one wrote. The lock also works for a question that has no
-- row, and needs no privilege.
CREATE FUNCTION lock_question(p_namespace text, p_key text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
    RAISE EXCEPTION 'sandagent needs the isolation level READ COMMITTED'
      USING ERRCODE = 'feature_not_supported',
        HINT = 'ALTER ROLE … SET default_transaction_isolation = ''read committed''';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended(p_namespace || '/' || p_key, 0));
END
$$;

-- Notifies in the transaction that writes, if no other writer does so now. Postgres lets transactions with notifications commit
-- one at a time, so the other writers notify after their commit. Returns whether the notification was made.
CREATE FUNCTION notify_alone(p_channel text, p_change text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(7239101164450132) THEN
    RETURN false;
  END IF;
  PERFORM pg_notify(p_channel, p_change);
  RETURN true;
END
$$;

-- Writes one of the two texts of a question: the record (q) or the answer (a). Returns the new version and the other text; no
-- row if another version is there, or if an answer is for another version of the record. Whoever calls it needs the right to
-- write that table.
CREATE FUNCTION write_text(
  p_kind text, p_channel text, p_namespace text, p_key text, p_tool_call_id text, p_text text, p_expected uuid,
  p_run_id text, p_asked_at_ms bigint, p_is_settled boolean, p_asked uuid DEFAULT NULL
)
RETURNS TABLE (new_version uuid, other text, other_version uuid, is_notified boolean)
LANGUAGE plpgsql ROWS 1 SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM lock_question(p_namespace, p_key);
  IF p_kind = 'q' THEN
    SELECT a.answer, a.version INTO other, other_version
    FROM answers a WHERE a.namespace = p_namespace AND a.key = p_key;
  ELSE
    SELECT q.record, q.version INTO other, other_version
    FROM questions q WHERE q.namespace = p_namespace AND q.key = p_key;
  END IF;
  IF p_asked IS NOT NULL AND other_version IS DISTINCT FROM p_asked THEN
    RETURN;
  END IF;
  IF p_kind = 'q' AND p_expected IS NULL THEN
    INSERT INTO questions AS q (namespace, key, tool_call_id, record, run_id, asked_at_ms, is_settled)
    VALUES (p_namespace, p_key, p_tool_call_id, p_text, p_run_id, p_asked_at_ms, p_is_settled)
    ON CONFLICT DO NOTHING
    RETURNING q.version INTO new_version;
  ELSIF p_kind = 'q' THEN
    UPDATE questions q
    SET record = p_text, run_id = p_run_id, asked_at_ms = p_asked_at_ms, is_settled = p_is_settled
    WHERE q.namespace = p_namespace AND q.key = p_key AND q.version = p_expected
    RETURNING q.version INTO new_version;
  ELSIF p_expected IS NULL THEN
    INSERT INTO answers AS a (namespace, key, tool_call_id, answer)
    VALUES (p_namespace, p_key, p_tool_call_id, p_text)
    ON CONFLICT DO NOTHING
    RETURNING a.version INTO new_version;
  ELSE
    UPDATE answers a SET answer = p_text
    WHERE a.namespace = p_namespace AND a.key = p_key AND a.version = p_expected
    RETURNING a.version INTO new_version;
  END IF;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  is_notified := notify_alone(p_channel, concat_ws(' ', p_kind, new_version, p_namespace, p_key));
  RETURN NEXT;
END
$$;

INSERT INTO migrations (version) VALUES (1);
