-- KEYS: nothing, the index of registers. ARGV: ranges of names, each as from and to.
on_a_master(KEYS[1])
local answer = {}
for i = 1, #ARGV, 2 do
  for _, name in ipairs(redis.call('ZRANGEBYLEX', KEYS[2], ARGV[i], ARGV[i + 1])) do answer[#answer + 1] = name end
end
return answer
