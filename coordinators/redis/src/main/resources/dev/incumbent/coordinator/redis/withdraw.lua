-- KEYS: the order, the candidates. ARGV: the candidate's id.
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
return 1
