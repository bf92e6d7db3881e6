-- The queues of a file of format 1: `first` is held by consumer 1, the rest waits.
PRAGMA auto_vacuum = INCREMENTAL;
PRAGMA journal_mode = WAL;
BEGIN TRANSACTION;
CREATE TABLE bindings (
    exchange TEXT NOT NULL REFERENCES exchanges ON DELETE CASCADE,
    queue TEXT NOT NULL REFERENCES queues ON DELETE CASCADE,
    key TEXT NOT NULL,
    PRIMARY KEY (exchange, queue, key)
) WITHOUT ROWID;
INSERT INTO "bindings" VALUES('a-out','b-in','#');
INSERT INTO "bindings" VALUES('b-out','b-end','#');
CREATE TABLE bodies (
    id INTEGER PRIMARY KEY REFERENCES messages ON DELETE CASCADE,
    body BLOB NOT NULL
);
INSERT INTO "bodies" VALUES(1,X'6669727374');
INSERT INTO "bodies" VALUES(2,X'7365636F6E64');
INSERT INTO "bodies" VALUES(3,X'746869726400FF');
INSERT INTO "bodies" VALUES(4,X'6173696465');
INSERT INTO "bodies" VALUES(5,X'6C61746572');
CREATE TABLE consumers (id INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL);
INSERT INTO "consumers" VALUES(1,'b-in');
CREATE TABLE exchanges (name TEXT PRIMARY KEY) WITHOUT ROWID;
INSERT INTO "exchanges" VALUES('a-out');
INSERT INTO "exchanges" VALUES('b-out');
CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    queue TEXT NOT NULL REFERENCES queues ON DELETE CASCADE,
    since REAL NOT NULL,
    size INTEGER NOT NULL,
    key TEXT NOT NULL,
    headers TEXT NOT NULL,
    deliveries INTEGER NOT NULL DEFAULT 0,
    expires REAL,
    holder INTEGER
);
INSERT INTO "messages" VALUES(1,'b-in',1800000000.0,5,'default','{"x-mc-retries": 2}',1,NULL,1);
INSERT INTO "messages" VALUES(2,'b-in',1800000000.0,6,'default','{"text": "\u0395\u03bb\u03bb\u03ac\u03b4\u03b1"}',0,NULL,NULL);
INSERT INTO "messages" VALUES(3,'b-in',1800000000.0,7,'other','',0,NULL,NULL);
INSERT INTO "messages" VALUES(4,'b-quar',1800000000.0,5,'b-quar','',0,NULL,NULL);
INSERT INTO "messages" VALUES(5,'b-delay',1800000000.0,5,'b-delay','',0,1800003600.0,NULL);
CREATE TABLE queues (
    name TEXT PRIMARY KEY,
    dead_letter TEXT NOT NULL,
    delivery_limit INTEGER NOT NULL,
    keep INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO "queues" VALUES('b-delay','b-in',20,1);
INSERT INTO "queues" VALUES('b-end','',20,0);
INSERT INTO "queues" VALUES('b-fast','b-in',20,1);
INSERT INTO "queues" VALUES('b-in','b-quar',20,1);
INSERT INTO "queues" VALUES('b-quar','',20,1);
CREATE INDEX waiting ON messages (queue, since, id, size, holder) WHERE holder IS NULL;
CREATE INDEX held ON messages (holder, queue) WHERE holder IS NOT NULL;
CREATE INDEX expiring ON messages (expires) WHERE expires IS NOT NULL;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('messages',5);
INSERT INTO "sqlite_sequence" VALUES('consumers',1);
COMMIT;
PRAGMA application_id = 1397310545;
PRAGMA user_version = 1;
