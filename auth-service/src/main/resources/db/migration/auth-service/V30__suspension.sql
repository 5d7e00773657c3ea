-- A suspended account reads, leaves rooms, redacts what it sent and logs out, and does nothing else (contract.md 5.5).
ALTER TABLE auth.account ADD COLUMN suspended boolean NOT NULL DEFAULT false;
