-- Selecting intents and clearing the selection.
local server = require("intentls.server")
local M = {}

local function open_ones(intents)
  return vim.tbl_filter(function(intent) return intent.open end, intents)
end

--- "src/api/** tests/*.py", or what an intent without a scope may change.
function M.scope_of(intent)
  return #intent.owned_scope > 0 and table.concat(intent.owned_scope, " ") or "the whole workspace"
end

--- A line for each intent, in columns.
local function labels(intents, active)
  local ids, statuses, names = 0, 0, 0
  for _, intent in ipairs(intents) do
    ids = math.max(ids, vim.fn.strdisplaywidth(intent.id))
    statuses = math.max(statuses, vim.fn.strdisplaywidth(intent.status))
    names = math.max(names, vim.fn.strdisplaywidth(intent.name))
  end
  local function padded(text, width) return text .. (" "):rep(width - vim.fn.strdisplaywidth(text)) end
  return function(intent)
    local mark = intent.id == active and "* " or "  "
    local columns = { padded(intent.id, ids), padded(intent.status, statuses), padded(intent.name, names) }
    return mark .. table.concat(columns, "  ") .. "  " .. M.scope_of(intent)
  end
end

--- Say what was done, and bring code lenses up to date where they are shown: Neovim 0.11 can't be told to do so.
local function done(text)
  vim.notify(text)
  local shows_lenses = vim.fn.has("nvim-0.12") == 0 and #vim.lsp.codelens.get(0) > 0
  if shows_lenses then vim.lsp.codelens.refresh({ bufnr = 0 }) end
end

--- Select an intent; `root` is the folder that declares it, where several do.
function M.select(id, root)
  server.run("intent.selectActiveIntent", { intent_id = id, root = root }, function(answer)
    done(answer.intent_id .. " is selected")
  end)
end

function M.expand(scope)
  server.run("intent.expandScope", scope, function(answer)
    done(("the scope of %s is wider now"):format(answer.intent_id))
  end)
end

function M.clear()
  server.run("intent.clearActiveIntent", nil, function() done("no intent is selected") end)
end

--- Ask which of the open intents to work on.
function M.choose()
  local active = require("intentls.statusline").active()
  server.run("intent.listIntents", nil, function(answer)
    local open = open_ones(answer.intents)
    if #open == 0 then
      return vim.notify("there is no open intent: write one into .orchestration/active_intents.yaml")
    end
    local options = { kind = "intentls", prompt = "Work on which intent?", format_item = labels(open, active) }
    vim.ui.select(open, options, function(intent)
      if intent then M.select(intent.id, intent.root) end
    end)
  end)
end

function M.list()
  local active = require("intentls.statusline").active()
  server.run("intent.listIntents", nil, function(answer)
    vim.notify(table.concat(vim.tbl_map(labels(answer.intents, active), answer.intents), "\n"))
  end)
end

--- The ids of the open intents that begin with `typed`.
function M.complete(typed)
  local answer = server.wait_for("intent.listIntents")
  local ids = vim.tbl_map(function(intent) return intent.id end, open_ones(answer and answer.intents or {}))
  return vim.tbl_filter(function(id) return vim.startswith(id, typed) end, ids)
end

return M
