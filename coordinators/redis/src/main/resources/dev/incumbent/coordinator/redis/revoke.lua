-- KEYS: the lease, the version. ARGV: how long a tombstone stays, in ms; the channel; the lease's id.
redis.call('SET', KEYS[1], 'dead', 'PX', ARGV[1])
redis.call('SET', KEYS[2], 'dead ' .. ARGV[3])
redis.pcall('PUBLISH', ARGV[2], 'lease ' .. ARGV[3])
return 1
