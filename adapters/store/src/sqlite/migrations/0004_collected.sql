-- When the asker of an ended Record had its end in hand.
ALTER TABLE records ADD COLUMN collected_at INTEGER;
