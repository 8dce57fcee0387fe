-- KEYS: the register. ARGV: a ballot's counter and proposer. Answers {1, what was accepted}, having promised; or {0, the counter promised}.
local counter, proposer = promised(KEYS[1])
if not is_later(tonumber(ARGV[1]), ARGV[2], counter, proposer) then return {0, counter} end
redis.call('HSET', KEYS[1], 'pc', ARGV[1], 'pp', ARGV[2])
local found = redis.call('HMGET', KEYS[1], 'ac', 'ap', 'nonce', 'body', 'past')
return {1, {found[1] or '0', found[2] or '', found[3] or '', found[4] or '', found[5] or ''}}
