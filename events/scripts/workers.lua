-- The workers of a group that live.
-- KEYS: workers of the group
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local alive = {}
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local at, ms = string.match(all[i + 1], '%d+ (%d+) (%d+)')
  if now - tonumber(at) <= tonumber(ms) then
    alive[#alive + 1] = all[i]
  end
end
return alive
