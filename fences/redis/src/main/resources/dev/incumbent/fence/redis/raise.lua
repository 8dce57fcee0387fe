-- Raises a mark, by the rule of dev.incumbent.fence.MarkRule. KEYS: the sink's id, the election's mark, the list of marks. ARGV: token, owner, election, furthest.
-- Answers {'raised'}, {'refused', token, owner} or {'too far', token}. Tokens are compared as digits: a number here would lose those beyond 2^53.
if not redis.call('GET', KEYS[1]) then return redis.error_reply('IFNOTINSTALLED it has no id') end
local function is_below(a, b) return #a < #b or (#a == #b and a < b) end
-- The difference of two tokens, exact up to 2^53 and else beyond it: their upper digits and their lower nine apart.
local function parts(token) local padded = string.rep('0', 19 - #token) .. token return tonumber(string.sub(padded, 1, 10)), tonumber(string.sub(padded, 11)) end
local function is_further(to, from, furthest)
  local to_high, to_low = parts(to)
  local from_high, from_low = parts(from)
  return (to_high - from_high) * 1000000000 + (to_low - from_low) > furthest
end
-- An answer that writes nothing is a master's, too: a replica refuses the DEL of a key that never is. Not done before a write, which then would pass though memory is full.
local function answered(answer) redis.call('DEL', KEYS[1] .. ':nothing') return answer end
local token, owner = ARGV[1], ARGV[2]
local found = redis.call('HMGET', KEYS[2], 'token', 'owner')
local mark, marker = found[1], found[2]
if (mark or marker) and not (mark and marker and string.match(mark, '^%d+$')) then
  return redis.error_reply('IFUNREADABLE the mark of ' .. ARGV[3] .. ' cannot be read')
end
if mark and not (mark == token and marker == owner) then
  local frozen = string.match(marker, '^freeze:')
  local passes = string.match(owner, '^freeze:') or string.match(owner, '^thaw:(%d+):') == mark
  if not is_below(mark, token) or (frozen and not passes) then return answered({'refused', mark, marker}) end
end
if is_further(token, mark or '0', tonumber(ARGV[4])) then return answered({'too far', mark or '0'}) end
redis.call('ZADD', KEYS[3], 0, ARGV[3])
redis.call('HSET', KEYS[2], 'token', token, 'owner', owner)
return {'raised'}
