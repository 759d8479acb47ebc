-- What a group has not acknowledged, and the age of the oldest in ms; the server's own figure is
-- wrong after trims.
-- KEYS: feed   ARGV: group
if redis.call('EXISTS', KEYS[1]) == 0 then
  return {0, 0}
end
local pending, beyond, oldest = 0, '-', nil
for _, info in ipairs(redis.call('XINFO', 'GROUPS', KEYS[1])) do
  local group = {}
  for i = 1, #info, 2 do
    group[info[i]] = info[i + 1]
  end
  if group['name'] == ARGV[1] then
    pending, beyond = group['pending'], '(' .. group['last-delivered-id']
    if pending > 0 then
      oldest = redis.call('XPENDING', KEYS[1], ARGV[1])[2]
    end
  end
end
local new = redis.call('XRANGE', KEYS[1], beyond, '+', 'COUNT', 1000)
oldest = oldest or (new[1] and new[1][1])
if not oldest then
  return {pending, 0}
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
return {pending + #new, math.max(now - string.match(oldest, '%d+'), 0)}
