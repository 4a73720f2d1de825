/**
 * One exchange of counts, run by the server as one step. It works in the server's time, so that clocks of machines may
 * differ: a machine says how long a new period and a mitigation last, and learns when the period ends for the server.
 *
 * A key has a hash with the counts of each machine (field: its name), `end` of the period and `limited`, the end of the
 * mitigation, both in ms since the epoch. Each machine writes its whole count, never a difference, and returns the end
 * that it has learned. So a repeated exchange changes nothing, however its delay varies, and a server that has lost its
 * data gets it again.
 *
 * Periods of two machines that overlap become one, the one that began first. `slack` absorbs delays that vary: a period
 * that begins about when another ends is the next one.
 *
 * Newly limited keys go into a stream. Each machine reads the new entries, because it may not have counted the key.
 *
 * KEYS: the stream; then the keys that are told. ARGV: the machine; the last entry of the stream that it has read, or
 * `-`; the most entries of an answer. Then five numbers for each key: its count, the length of its period, the ms
 * left of it, its end by the server or 0, the ms left of the mitigation. Answer: the last entry read; the number of
 * entries; a key and the ms left for each. Then four numbers for each reported key: the count of all other machines,
 * the ms left of the period, its end, the ms left of the mitigation. An end of 0 means that the server has a later
 * period.
 */
export const exchangeScript = `
local slack = 50
local streamKept = 10000
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local machine = ARGV[1]
local told = {}
for i = 2, #KEYS do
  local key, at = KEYS[i], 5 * i - 6
  local count, period = ARGV[at], tonumber(ARGV[at + 1])
  local left, to, limitedLeft = tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3]), tonumber(ARGV[at + 4])
  if to <= now or to > now + period + slack then to = now + left end
  local stored = redis.call('HGETALL', key)
  local last, limited, others = 0, 0, 0
  for f = 1, #stored, 2 do
    local field, value = stored[f], tonumber(stored[f + 1])
    if field == 'end' then last = value
    elseif field == 'limited' then limited = value
    elseif field ~= machine then others = others + value end
  end
  local from = to - period
  local isEarlier = left == 0 or to <= last - period + slack
  local isLater = left > 0 and (from >= last - slack or last > now + period + slack)
  if isLater then
    redis.call('DEL', key)
    last, others = to, 0
  elseif isEarlier then
    others = 0
  else
    last = math.min(last, to)
  end
  if limitedLeft > 0 and limited <= now then
    limited = now + limitedLeft
    redis.call('XADD', KEYS[1], 'MAXLEN', '~', streamKept, '*', 'key', key, 'until', limited)
  end
  if not isEarlier then redis.call('HSET', key, machine, count) end
  if last > now or limited > now then
    redis.call('HSET', key, 'end', last, 'limited', limited)
    redis.call('PEXPIREAT', key, math.max(last, limited))
  end
  told[#told + 1] = others
  told[#told + 1] = isEarlier and left or last - now
  told[#told + 1] = isEarlier and 0 or last
  told[#told + 1] = math.max(0, limited - now)
end
local from = ARGV[2] == '-' and '-' or '(' .. ARGV[2]
local entries = redis.call('XRANGE', KEYS[1], from, '+', 'COUNT', ARGV[3])
local answer = { ARGV[2], 0 }
for _, entry in ipairs(entries) do
  answer[1] = entry[1]
  local left = tonumber(entry[2][4]) - now
  if left > 0 then
    answer[2] = answer[2] + 1
    answer[#answer + 1] = entry[2][2]
    answer[#answer + 1] = left
  end
end
for _, number in ipairs(told) do answer[#answer + 1] = number end
return answer
`
