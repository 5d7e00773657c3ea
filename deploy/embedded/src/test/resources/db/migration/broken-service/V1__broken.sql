CREATE TABLE broken.note (id int PRIMARY KEY, text nonsense NOT NULL);
