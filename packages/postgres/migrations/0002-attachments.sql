-- Version 2 of the tables of @sandagent/postgres.

-- The files of answers, in pieces. Only hosts write it.
CREATE TABLE attachments (
  namespace text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  start bigint NOT NULL,
  bytes bytea NOT NULL,
  written_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (namespace, key, name, start)
);
COMMENT ON COLUMN attachments.key IS 'That of the question';
COMMENT ON COLUMN attachments.name IS 'The SHA-256 of the bytes, and an ending; with a dot in front while they come';
COMMENT ON COLUMN attachments.start IS 'The offset of the first byte in the file';
-- Pictures do not get smaller, and a part of a piece is read without the rest.
ALTER TABLE attachments ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Who may do something with answers may do the same with their files.
DO $$
DECLARE
  given record;
BEGIN
  FOR given IN
    SELECT CASE acl.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(acl.grantee)) END AS role, acl.privilege_type
    FROM pg_class, aclexplode(relacl) AS acl
    WHERE oid = 'answers'::regclass AND acl.grantee <> relowner
  LOOP
    EXECUTE format('GRANT %s ON attachments TO %s', given.privilege_type, given.role);
  END LOOP;
END
$$;

INSERT INTO migrations (version) VALUES (2);
