-- KEYS: nothing, the registers. Answers what each has accepted.
on_a_master(KEYS[1])
local answer = {}
for i = 2, #KEYS do
  local found = redis.call('HMGET', KEYS[i], 'ac', 'ap', 'nonce', 'body', 'past')
  answer[i - 1] = {found[1] or '0', found[2] or '', found[3] or '', found[4] or '', found[5] or ''}
end
return answer
