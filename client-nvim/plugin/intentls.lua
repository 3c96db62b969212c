-- :Intent takes intents up and hands them back. The server does the rest.
if vim.g.loaded_intentls then return end
vim.g.loaded_intentls = true

local function run(command, argument, show)
  local client = vim.lsp.get_clients({ name = "intentls" })[1]
  if not client then return vim.notify("intentls does not run here", vim.log.levels.WARN) end
  local call = { title = command, command = command, arguments = argument and { argument } }
  client:exec_cmd(call, { bufnr = 0 }, function(err, answer)
    if err then return vim.notify(err.message, vim.log.levels.ERROR) end
    if answer.status == "error" then return vim.notify(answer.error, vim.log.levels.WARN) end
    show(answer)
  end)
end

local function select_intent(id)
  run("intent.selectActiveIntent", { intent_id = id }, function(answer) vim.notify(answer.intent_id .. " is selected") end)
end

-- :Intent            choose one of the open intents      :Intent list     show all of them
-- :Intent select ID  take an intent up                   :Intent clear    hand it back
vim.api.nvim_create_user_command("Intent", function(call)
  local verb, id = call.fargs[1] or "choose", call.fargs[2]
  if verb == "select" then return select_intent(id) end
  if verb == "clear" then
    return run("intent.clearActiveIntent", nil, function() vim.notify("no intent is selected") end)
  end
  run("intent.listIntents", nil, function(answer)
    if verb == "list" then
      local lines = vim.tbl_map(function(i) return i.id .. "  " .. i.status .. "  " .. i.name end, answer.intents)
      return vim.notify(table.concat(lines, "\n"))
    end
    local open = vim.tbl_filter(function(intent) return intent.open end, answer.intents)
    local function label(intent) return intent.id .. "  " .. intent.name end
    vim.ui.select(open, { prompt = "Work on", format_item = label }, function(intent)
      if intent then select_intent(intent.id) end
    end)
  end)
end, { nargs = "*" })
