-- Asks for another address each time if its path has NUMBER, for numbers up to 9999. Prints the result of wrk as JSON. Latencies are in
-- microseconds.
function init()
  local path = wrk.path
  if path:find("NUMBER") then
    request = function()
      return wrk.format(nil, (path:gsub("NUMBER", string.format("%05d", math.random(0, 9999)))))
    end
  end
end

done = function(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  local line = '{"requests":%d,"microseconds":%d,"failed":%d,"p50":%d,"p99":%d}\n'
  io.write(string.format(line, summary.requests, summary.duration, failed, latency:percentile(50), latency:percentile(99)))
end
