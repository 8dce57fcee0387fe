-- KEYS: nothing, the index of records, the index of lists. ARGV: what the keys of orders begin with, then one or more ranges of names, each as from and to.
-- Answers the names that have a record, and those that have a list with somebody on it.
on_a_master(KEYS[1])
local answer, listed = {}, {}
for i = 2, #ARGV, 2 do
  for _, name in ipairs(redis.call('ZRANGEBYLEX', KEYS[2], ARGV[i], ARGV[i + 1])) do answer[#answer + 1] = name end
  for _, name in ipairs(redis.call('ZRANGEBYLEX', KEYS[3], ARGV[i], ARGV[i + 1])) do
    if redis.call('ZCARD', ARGV[1] .. name) > 0 then listed[#listed + 1] = name else redis.call('ZREM', KEYS[3], name) end
  end
end
return {answer, listed}
