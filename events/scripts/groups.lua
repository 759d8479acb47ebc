-- The groups that are on a feed.
-- KEYS: feed
local names = {}
if redis.call('EXISTS', KEYS[1]) == 1 then
  for _, info in ipairs(redis.call('XINFO', 'GROUPS', KEYS[1])) do
    for i = 1, #info, 2 do
      if info[i] == 'name' then
        names[#names + 1] = info[i + 1]
      end
    end
  end
end
return names
