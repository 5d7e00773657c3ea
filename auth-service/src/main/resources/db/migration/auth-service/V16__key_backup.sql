-- What clients keep on the server, encrypted, of the keys of rooms (contract.md 13.5). Versions are numbered for each user; a deleted
-- one stays as a row without contents, so that no number is given again.
CREATE TABLE auth.key_backup (
    tenant    int     NOT NULL,
    user_id   text    NOT NULL,
    version   bigint  NOT NULL,
    algorithm text    NOT NULL,
    auth_data text    NOT NULL,
    -- of the keys: grows with every change
    etag      bigint  NOT NULL DEFAULT 0,
    sessions  bigint  NOT NULL DEFAULT 0,
    deleted   boolean NOT NULL DEFAULT false,
    PRIMARY KEY (tenant, user_id, version),
    FOREIGN KEY (tenant, user_id) REFERENCES auth.account
);

CREATE TABLE auth.key_backup_session (
    tenant              int     NOT NULL,
    user_id             text    NOT NULL,
    version             bigint  NOT NULL,
    room_id             text    NOT NULL,
    session_id          text    NOT NULL,
    first_message_index bigint  NOT NULL,
    forwarded_count     bigint  NOT NULL,
    is_verified         boolean NOT NULL,
    session_data        text    NOT NULL,
    PRIMARY KEY (tenant, user_id, version, room_id, session_id),
    FOREIGN KEY (tenant, user_id, version) REFERENCES auth.key_backup ON DELETE CASCADE
);
