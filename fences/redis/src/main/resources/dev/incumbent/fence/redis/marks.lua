-- KEYS: the sink's id, the list of marks. ARGV: what the keys of marks begin with; 'all', or 'these' and the elections, or 'id'.
-- Answers {election, token, owner} for each that has a mark or what is none, or the sink's id. A replica refuses the DEL of a key that never is.
redis.call('DEL', KEYS[1] .. ':nothing')
local id = redis.call('GET', KEYS[1])
if not id then return redis.error_reply('IFNOTINSTALLED it has no id') end
if ARGV[2] == 'id' then return id end
local asked, first = ARGV, 3 -- no unpack: its stack ends at some 8,000 names
if ARGV[2] == 'all' then asked, first = redis.call('ZRANGE', KEYS[2], 0, -1), 1 end
local answer = {}
for i = first, #asked do
  local election = asked[i]
  local found = redis.pcall('HMGET', ARGV[1] .. election, 'token', 'owner')
  if found.err then found = {found.err, ''} end
  if found[1] or found[2] then answer[#answer + 1] = {election, found[1] or '', found[2] or ''} end
end
return answer
