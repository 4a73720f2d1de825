-- Carries out the verdict of Sluice: header changes, a new path, or the response to send.

local function each_line(text, take)
  if text == nil then return end
  for line in string.gmatch(text, "[^\n]+") do take(line) end
end

local function each_header(text, take)
  each_line(text, function(line)
    local name, value = string.match(line, "^([^:]+): ?(.*)$")
    if name ~= nil then take(name, value) end
  end)
end

-- Sends the page of the verdict instead of the origin's response.
local function answer(txn, prefix)
  local reply = txn:reply()
  reply:set_status(tonumber(txn:get_var(prefix .. "status")) or 403)
  each_header(txn:get_var(prefix .. "headers"), function(name, value) reply:add_header(name, value) end)
  reply:set_body(txn:get_var(prefix .. "page") or "")
  txn:done(reply)
end

core.register_action("sluice_request", { "http-req" }, function(txn)
  local action = txn:get_var("txn.sluice.action")
  if action == nil then return end
  if action ~= "pass" then return answer(txn, "txn.sluice.") end
  each_line(txn:get_var("txn.sluice.remove"), function(name) txn.http:req_del_header(name) end)
  each_header(txn:get_var("txn.sluice.headers"), function(name, value) txn.http:req_add_header(name, value) end)
  local uri = txn:get_var("txn.sluice.uri")
  if uri ~= nil then txn.http:req_set_uri(uri) end
end)

core.register_action("sluice_response", { "http-res" }, function(txn)
  local action = txn:get_var("txn.sluice.res_action")
  if action == nil then return end
  if action ~= "pass" then return answer(txn, "txn.sluice.res_") end
  each_line(txn:get_var("txn.sluice.res_remove"), function(name) txn.http:res_del_header(name) end)
  each_header(txn:get_var("txn.sluice.res_headers"), function(name, value) txn.http:res_add_header(name, value) end)
end)
