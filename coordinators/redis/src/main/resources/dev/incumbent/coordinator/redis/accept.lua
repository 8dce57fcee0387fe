-- KEYS: the register, the index of registers. ARGV: a ballot's counter and proposer, the nonce, the body, the nonces before it, the register's name. Answers {1}; or {0, the counter promised}.
local counter, proposer = promised(KEYS[1])
if is_later(counter, proposer, tonumber(ARGV[1]), ARGV[2]) then return {0, counter} end
redis.call('ZADD', KEYS[2], 0, ARGV[6])
redis.call('HSET', KEYS[1], 'pc', ARGV[1], 'pp', ARGV[2], 'ac', ARGV[1], 'ap', ARGV[2], 'nonce', ARGV[3], 'body', ARGV[4], 'past', ARGV[5])
return {1}
