-- KEYS: the lease. ARGV: its text, LENGTH OWNER; its length in ms. Answers 0 where that id was used before.
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end
return 0
