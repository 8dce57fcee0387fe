-- KEYS: nothing, the record, the index of records, the version.
-- ARGV: what lease keys begin with, how long a tombstone stays, the nonce expected, the record, its nonce, its lease or '', the election, the channel.
-- Answers {1}, or {0, the record's state}. All that may fail comes before the one write that counts.
on_a_master(KEYS[1])
local nonce = redis.call('HGET', KEYS[2], 'nonce') or ''
if nonce == ARGV[5] then return {1} end
if nonce ~= ARGV[3] then return {0, state(KEYS[2], ARGV[1], ARGV[2])} end
local swaps = (redis.call('HGET', KEYS[2], 'swaps') or 0) + 1
redis.call('ZADD', KEYS[3], 0, ARGV[7])
redis.call('SET', KEYS[4], ARGV[5])
redis.call('HSET', KEYS[2], 'record', ARGV[4], 'nonce', ARGV[5], 'lease', ARGV[6], 'swaps', string.format('%d', swaps))
redis.pcall('PUBLISH', ARGV[8], 'election ' .. ARGV[7])
return {1}
