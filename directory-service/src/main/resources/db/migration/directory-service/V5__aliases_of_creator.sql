-- How many aliases a user has made.
CREATE INDEX alias_of_creator ON directory.alias (tenant, creator);
