-- Whether a group is on a feed.
-- KEYS: feed   ARGV: group
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
for _, info in ipairs(redis.call('XINFO', 'GROUPS', KEYS[1])) do
  for i = 1, #info, 2 do
    if info[i] == 'name' and info[i + 1] == ARGV[1] then
      return 1
    end
  end
end
return 0
