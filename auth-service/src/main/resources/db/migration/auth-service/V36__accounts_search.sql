-- Parts of user ids and display names, without case, for the list of accounts (contract.md 5.2). User ids are ASCII, for which the
-- collation C is the fast one.
CREATE INDEX account_search ON auth.account USING gin (tenant, lower(user_id COLLATE "C") public.gin_trgm_ops);
CREATE INDEX profile_field_search ON auth.profile_field USING gin (tenant, lower(value) public.gin_trgm_ops) WHERE name = 'displayname';
