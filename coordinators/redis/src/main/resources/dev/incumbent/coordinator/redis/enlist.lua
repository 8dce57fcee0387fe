-- KEYS: nothing, the order, the candidates, the counter, the index of lists, the lease.
-- ARGV: what lease keys begin with, how long a tombstone stays, the candidate's id, LEASE CANDIDATE, the election. Answers 0 where the lease is dead.
on_a_master(KEYS[1])
if not is_alive(KEYS[6], ARGV[2]) then return 0 end
local before = redis.call('HGET', KEYS[3], ARGV[3])
if not before or not is_alive(ARGV[1] .. string.match(before, '^%S+'), ARGV[2]) then
  redis.call('ZADD', KEYS[2], redis.call('INCR', KEYS[4]), ARGV[3])
end
redis.call('ZADD', KEYS[5], 0, ARGV[5])
redis.call('HSET', KEYS[3], ARGV[3], ARGV[4])
return 1
