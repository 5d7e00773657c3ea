CREATE TABLE sample.note (id int PRIMARY KEY, text text NOT NULL);
