-- A register's acceptor keeps the greatest ballot that it promised (pc, pp) and the one that it accepted (ac, ap), each a counter and its proposer, with the value.
local function promised(register)
  local found = redis.call('HMGET', register, 'pc', 'pp')
  return tonumber(found[1] or '0'), found[2] or ''
end
local function is_later(counter, proposer, than_counter, than_proposer)
  return counter > than_counter or (counter == than_counter and proposer > than_proposer)
end
