-- KEYS: nothing, the leases. ARGV: how long a tombstone stays where the missing are to be buried, else nothing. Answers for each what is left in ms, 0 where it is dead, -1 where it is missing, and the length that it was granted for, 0 where it does not live.
on_a_master(KEYS[1])
local answer = {}
for i = 2, #KEYS do
  local text = redis.call('GET', KEYS[i])
  if not text and ARGV[1] then
    redis.call('SET', KEYS[i], 'dead', 'PX', ARGV[1])
    text = 'dead'
  end
  local left, length = 0, 0
  if not text then left = -1
  elseif text ~= 'dead' then left, length = math.max(1, redis.call('PTTL', KEYS[i])), tonumber(string.match(text, '^%d+')) end
  answer[#answer + 1] = left
  answer[#answer + 1] = length
end
return answer
