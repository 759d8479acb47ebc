-- Drops what every group has acknowledged, and consumers that are long gone with nothing pending.
-- KEYS: feed   ARGV: for how many ms a consumer must have been silent
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
local function named(list)
  local map = {}
  for i = 1, #list, 2 do
    map[list[i]] = list[i + 1]
  end
  return map
end
local function before(a, b)
  local ams, an = string.match(a, '(%d+)-(%d+)')
  local bms, bn = string.match(b, '(%d+)-(%d+)')
  ams, bms = tonumber(ams), tonumber(bms)
  return ams < bms or (ams == bms and tonumber(an) < tonumber(bn))
end
local safe
for _, info in ipairs(redis.call('XINFO', 'GROUPS', KEYS[1])) do
  local group = named(info)
  local done = group['last-delivered-id']
  local pending = redis.call('XPENDING', KEYS[1], group['name'])
  if pending[1] > 0 then
    done = pending[2]
  end
  if not safe or before(done, safe) then
    safe = done
  end
  for _, other in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], group['name'])) do
    local consumer = named(other)
    if consumer['pending'] == 0 and consumer['idle'] > tonumber(ARGV[1]) then
      redis.call('XGROUP', 'DELCONSUMER', KEYS[1], group['name'], consumer['name'])
    end
  end
end
return safe and redis.call('XTRIM', KEYS[1], 'MINID', safe) or 0
