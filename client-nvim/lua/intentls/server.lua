-- The one way to the server: which client answers for a buffer, and how it is asked.
local M = { NAME = "intentls" }

--- The client of a buffer; failing that the only one there is, so that commands also work from a help page.
function M.client(bufnr)
  local here = vim.lsp.get_clients({ name = M.NAME, bufnr = bufnr or 0 })
  if here[1] then return here[1] end
  local all = vim.lsp.get_clients({ name = M.NAME })
  return #all == 1 and all[1] or nil
end

local function call(command, argument)
  return { command = command, arguments = argument and { argument } }
end

--- Run a command. `done` gets the answer of a success; whatever else comes is shown.
function M.run(command, argument, done, client)
  client = client or M.client()
  if not client then
    local text = "intentls does not run here, or is still starting: see :checkhealth intentls"
    return vim.notify(text, vim.log.levels.WARN)
  end
  client:request("workspace/executeCommand", call(command, argument), function(err, answer)
    if err then return vim.notify("intentls: " .. err.message, vim.log.levels.ERROR) end
    if answer.status == "error" then return vim.notify(answer.error, vim.log.levels.WARN) end
    done(answer)
  end)
end

--- Run commands, all of them, and hand their answers to `done` in the same order. A refusal is an answer too;
--- where there was an error, the answer is `false`. The ids of the requests are returned.
function M.gather(client, commands, done)
  local answers, ids, missing = {}, {}, #commands
  for place, each in ipairs(commands) do
    local _, id = client:request("workspace/executeCommand", call(each[1], each[2]), function(_, answer)
      answers[place] = answer or false
      missing = missing - 1
      if missing == 0 then done(unpack(answers, 1, #commands)) end
    end)
    ids[#ids + 1] = id
  end
  return ids
end

--- The answer, waited for: what completion on the command line needs. nil if it takes over a second.
function M.wait_for(command)
  local client = M.client()
  local reply = client and client:request_sync("workspace/executeCommand", call(command), 1000)
  return reply and reply.result or nil
end

--- The program that was started, or nil if the client is connected in another way.
function M.program(client)
  local cmd = client and client.config.cmd or vim.lsp.config[M.NAME].cmd
  return type(cmd) == "table" and cmd[1] or nil
end

--- Ask the program itself for a JSON document, e.g. { "status" }; nil if it can't be asked.
function M.ask_program(client, arguments, done)
  local program = M.program(client)
  if not program then return done(nil) end
  local command = vim.list_extend({ program }, arguments)
  local started = pcall(vim.system, command, { cwd = client.root_dir, text = true, timeout = 10000 }, function(ended)
    local parsed, document = pcall(vim.json.decode, ended.stdout or "", { luanil = { object = true, array = true } })
    vim.schedule(function() done(parsed and document or nil) end)
  end)
  if not started then done(nil) end
end

return M
