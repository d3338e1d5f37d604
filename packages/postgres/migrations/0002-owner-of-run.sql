-- Who started a run: a rule of a policy can let this person answer.
ALTER TABLE runs ADD COLUMN owner text;

INSERT INTO migrations (version) VALUES (2);
