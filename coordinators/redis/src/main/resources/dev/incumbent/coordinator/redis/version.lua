-- KEYS: nothing, the version. Answers what bears the name of the last change of any record.
on_a_master(KEYS[1])
return redis.call('GET', KEYS[2]) or ''
