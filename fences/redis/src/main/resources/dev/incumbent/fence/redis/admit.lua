-- Admits a token and runs commands, in one step. KEYS: the election's mark, and the keys of the commands.
-- ARGV: the token; then each command: how many words it has, and these. Answers what the commands answered. No command: only the admission.
local mark = redis.call('HGET', KEYS[1], 'token')
if not string.match(ARGV[1] or '', '^[1-9]%d*$') or #ARGV[1] > 19 then return redis.error_reply('IFUNREADABLE no token: ' .. (ARGV[1] or '')) end
if not mark then return redis.error_reply('IFNOTRAISED the mark is absent') end
if #ARGV[1] > #mark or (#ARGV[1] == #mark and ARGV[1] > mark) then return redis.error_reply('IFNOTRAISED the mark is ' .. mark .. ' of ' .. redis.call('HGET', KEYS[1], 'owner')) end
if mark ~= ARGV[1] then return redis.error_reply('IFSTALE the mark is ' .. mark .. ' of ' .. redis.call('HGET', KEYS[1], 'owner')) end
local answers, at = {}, 2
while at <= #ARGV do
  local words = tonumber(ARGV[at])
  answers[#answers + 1] = redis.call(unpack(ARGV, at + 1, at + words))
  at = at + words + 1
end
return answers
