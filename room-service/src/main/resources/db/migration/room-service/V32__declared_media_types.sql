-- The content type that an uploader declared, which comes back on download (contract.md 13.4); the column type says what the bytes are.
-- Null where none was declared, or nothing well-formed, and of files from before: those come back as what their bytes are.
ALTER TABLE room.media ADD COLUMN declared_type text;
