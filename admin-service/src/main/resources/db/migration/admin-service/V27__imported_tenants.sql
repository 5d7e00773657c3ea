-- Whether a tenant's data came from another installation, whose tokens of /sync its clients still have.
ALTER TABLE admin.tenant ADD imported boolean NOT NULL DEFAULT false;
UPDATE admin.tenant SET imported = true WHERE state = 'importing';
