-- Whether the room is in the room directory (CONTRACT.md 6); entries of kind "listing" tell when that changed.
ALTER TABLE room.room ADD COLUMN published boolean NOT NULL DEFAULT false;
