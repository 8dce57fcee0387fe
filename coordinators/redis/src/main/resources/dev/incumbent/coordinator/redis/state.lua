-- Told by every script that reads: it must run on a master, whose expired keys are gone when they are looked at. A replica refuses the DEL of a key that never is.
local function on_a_master(nothing) redis.call('DEL', nothing) end

-- A lease is dead for ever once its key says so. What ended by silence is marked, also where the memory is full: then by its absence, which is as final.
local function is_alive(lease, tombstone_ms)
  local text = redis.call('GET', lease)
  if not text and redis.pcall('SET', lease, 'dead', 'PX', tombstone_ms).err then redis.call('DEL', lease) end
  return text and text ~= 'dead'
end

-- A record, and its leader's lease: record, nonce, count of its swaps, is the lease alive, what is left of it in ms.
local function state(record, leases, tombstone_ms)
  local found = redis.pcall('HMGET', record, 'record', 'nonce', 'swaps', 'lease')
  if found.err then return {found.err, 'foreign', '0', 0, 0} end
  local alive, left = 0, 0
  if found[4] and found[4] ~= '' and is_alive(leases .. found[4], tombstone_ms) then
    alive, left = 1, redis.call('PTTL', leases .. found[4])
  end
  return {found[1] or '', found[2] or '', found[3] or '0', alive, left}
end
