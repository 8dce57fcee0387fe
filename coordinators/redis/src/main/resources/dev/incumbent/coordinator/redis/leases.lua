-- KEYS: nothing, the leases. ARGV: how long a tombstone stays where the missing are to be buried, else nothing. Answers for each what is left in ms, 0 where it is dead, -1 where it is missing.
on_a_master(KEYS[1])
local answer = {}
for i = 2, #KEYS do
  local text = redis.call('GET', KEYS[i])
  if not text and ARGV[1] then
    redis.call('SET', KEYS[i], 'dead', 'PX', ARGV[1])
    text = 'dead'
  end
  if not text then answer[i - 1] = -1
  elseif text == 'dead' then answer[i - 1] = 0
  else answer[i - 1] = math.max(1, redis.call('PTTL', KEYS[i])) end
end
return answer
