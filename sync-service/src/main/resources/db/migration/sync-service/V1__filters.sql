-- Filters that users saved. Never changed; a user has at most 1000; they go when the user or the tenant is deleted.
CREATE TABLE sync.filter (
    tenant     int    NOT NULL,
    user_id    text   NOT NULL,
    -- made of the content, so that equal filters of a user are one
    filter_id  text   NOT NULL,
    content    text   NOT NULL,
    created_ms bigint NOT NULL,
    PRIMARY KEY (tenant, user_id, filter_id)
);
