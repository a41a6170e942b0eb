-- Where players dial each node; '' = they are led there by the others.
ALTER TABLE node ADD COLUMN players TEXT NOT NULL DEFAULT '';
CREATE OR REPLACE VIEW living AS
    SELECT number, id, address, began, seen, stopping, players FROM node
    WHERE seen + lease > clock_timestamp() AND lock IN (
        SELECT objid::bigint FROM pg_locks
        WHERE locktype = 'advisory' AND classid = 790723 AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    );
