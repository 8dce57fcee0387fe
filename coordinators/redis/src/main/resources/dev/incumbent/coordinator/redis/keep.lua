-- KEYS: the lease. ARGV: how long a tombstone stays, in ms. Answers 0 where the lease is dead.
local text = redis.call('GET', KEYS[1])
if text and text ~= 'dead' then
  redis.call('PEXPIRE', KEYS[1], string.match(text, '^%d+'))
  return 1
end
if not text then redis.call('SET', KEYS[1], 'dead', 'PX', ARGV[1]) end
return 0
