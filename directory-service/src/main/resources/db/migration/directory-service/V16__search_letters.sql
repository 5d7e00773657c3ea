-- How searches compare letters from now on (contract.md 6).

-- Which words of the display name are stored. Instances make those of an earlier form again after their start, portion by portion.
ALTER TABLE directory.person ADD COLUMN words_form smallint NOT NULL DEFAULT 0;
CREATE INDEX person_of_old_form ON directory.person (tenant, user_id) WHERE words_form < 1 AND NOT ended;

-- rooms: without variants of a letter, the Turkish dotted i an i and the final sigma a sigma
UPDATE directory.room
   SET search = replace(replace(normalize(search, NFKC), U&'i\0307', 'i'), U&'\03C2', U&'\03C3')
 WHERE search IS NFKC NORMALIZED IS NOT TRUE OR search ~ '\u0307|\u03C2';
