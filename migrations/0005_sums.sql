-- A library's sums ask every row of a month for a few short columns, between texts that fill a page each; the index has all of them.
-- It begins as the index of times did and stands for it, too. By skill's id alone rows were asked for by those sums only.
DROP INDEX idx_traces_started_at;
DROP INDEX idx_traces_skill_id;
CREATE INDEX idx_traces_sums ON skill_execution_traces (started_at, skill_id, run_id, estimated_cost, model_id);
