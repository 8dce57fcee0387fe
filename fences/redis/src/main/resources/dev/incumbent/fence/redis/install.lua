-- KEYS: the sink's id. ARGV: an id for it where it has none. Answers the id it has.
redis.call('SET', KEYS[1], ARGV[1], 'NX')
return redis.call('GET', KEYS[1])
