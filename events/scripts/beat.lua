-- A worker of a group says that it lives, and hears who else does.
-- KEYS: workers of the group   ARGV: worker, number of its process (0: a new one), ms
-- A sign of life from the future, the clock having gone back, counts as from now.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local number, lapsed, alive = tonumber(ARGV[2]), 1, {ARGV[1]}
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local its, at, ms = string.match(all[i + 1], '(%d+) (%d+) (%d+)')
  its, at, ms = tonumber(its), tonumber(at), tonumber(ms)
  if all[i] == ARGV[1] then
    if number == 0 then
      number = math.max(its + 1, now)
    elseif its > number then
      return {its, 1, {}}
    elseif at <= now and now - at <= ms then
      lapsed = 0
    end
  elseif now - at > ms then
    redis.call('HDEL', KEYS[1], all[i])
  else
    alive[#alive + 1] = all[i]
    if at > now then
      redis.call('HSET', KEYS[1], all[i], string.format('%d %d %d', its, now, ms))
    end
  end
end
if number == 0 then
  number = now
end
redis.call('HSET', KEYS[1], ARGV[1], string.format('%d %d %d', number, now, ARGV[3]))
return {number, lapsed, alive}
