-- KEYS: nothing, then for each election the order and the candidates. ARGV: what lease keys begin with, how long a tombstone stays.
-- Answers each election's candidates in their order, and takes those off the list whose leases are dead.
on_a_master(KEYS[1])
local answer = {}
for i = 2, #KEYS, 2 do
  local standing = {}
  for _, id in ipairs(redis.call('ZRANGE', KEYS[i], 0, -1)) do
    local candidate = redis.call('HGET', KEYS[i + 1], id)
    if candidate and is_alive(ARGV[1] .. string.match(candidate, '^%S+'), ARGV[2]) then
      standing[#standing + 1] = string.match(candidate, '^%S+ (.*)$')
    else
      redis.call('ZREM', KEYS[i], id)
      redis.call('HDEL', KEYS[i + 1], id)
    end
  end
  answer[#answer + 1] = standing
end
return answer
