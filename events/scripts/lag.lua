-- What a group has not acknowledged; the server's own figure is wrong after trims.
-- KEYS: feed   ARGV: group
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
for _, info in ipairs(redis.call('XINFO', 'GROUPS', KEYS[1])) do
  local group = {}
  for i = 1, #info, 2 do
    group[info[i]] = info[i + 1]
  end
  if group['name'] == ARGV[1] then
    local beyond = '(' .. group['last-delivered-id']
    return group['pending'] + #redis.call('XRANGE', KEYS[1], beyond, '+', 'COUNT', 1000)
  end
end
return math.min(redis.call('XLEN', KEYS[1]), 1000)
