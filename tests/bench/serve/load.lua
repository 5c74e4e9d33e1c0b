-- Prints the result of wrk as JSON. Latencies are in microseconds.
done = function(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  local line = '{"requests":%d,"microseconds":%d,"failed":%d,"p50":%d,"p99":%d}\n'
  io.write(string.format(line, summary.requests, summary.duration, failed, latency:percentile(50), latency:percentile(99)))
end
