-- What the status line shows. It only ever reads what was last heard: no redraw asks the server anything.
local server = require("intentls.server")
local M = {}

local known = {} -- by client id: { active = "INT-001" or nil, text = what to show }
local client_of = {} -- by buffer
local own = {} -- ids of our own requests, by client id and request id

local function hear(client_id, active, listed)
  local governed = listed and listed.intents and #listed.intents > 0
  local id = active and active.state == "ACTIVE" and active.intent_id or nil
  known[client_id] = { active = id, text = id or (governed and "no intent") or "" }
  vim.cmd.redrawstatus({ bang = true })
end

--- Ask the server again.
local function refresh(client_id)
  local client = vim.lsp.get_client_by_id(client_id)
  if not client or client:is_stopped() then return end
  local questions = { { "intent.getActiveIntent" }, { "intent.listIntents" } }
  local ids = server.gather(client, questions, function(active, listed) hear(client_id, active, listed) end)
  own[client_id] = own[client_id] or {}
  for _, id in ipairs(ids) do own[client_id][id] = true end
end

--- The active intent of a buffer's workspace, or nil.
function M.active(bufnr)
  local client = server.client(bufnr)
  return client and known[client.id] and known[client.id].active
end

--- "INT-001", "no intent", or "" where there are none.
function M.text()
  local heard = known[client_of[vim.api.nvim_get_current_buf()]]
  return heard and heard.text or ""
end

local function is_ours(client_id)
  local client = vim.lsp.get_client_by_id(client_id)
  return client ~= nil and client.name == server.NAME
end

--- Listen to all that may change the answer: attaching, a command that was run by whatever means, the intents file.
function M.listen()
  local group = vim.api.nvim_create_augroup("intentls.statusline", {})
  local function on(event, callback, pattern)
    vim.api.nvim_create_autocmd(event, { group = group, callback = callback, pattern = pattern })
  end
  on("LspAttach", function(event)
    if not is_ours(event.data.client_id) then return end
    client_of[event.buf] = event.data.client_id
    if not known[event.data.client_id] then refresh(event.data.client_id) end
  end)
  on("LspDetach", function(event)
    if client_of[event.buf] == event.data.client_id then client_of[event.buf] = nil end
  end)
  on("LspRequest", function(event)
    local request, client_id = event.data.request, event.data.client_id
    local ended = request.method == "workspace/executeCommand" and request.type == "complete"
    if not ended or not is_ours(client_id) then return end
    local mine = own[client_id] or {}
    if mine[event.data.request_id] then
      mine[event.data.request_id] = nil
    else
      vim.schedule(function() refresh(client_id) end)
    end
  end)
  local function all() vim.tbl_map(refresh, vim.tbl_keys(known)) end
  on("BufWritePost", all, { "active_intents.yaml", "*/.orchestration/intents/*.yaml" })
  on("FocusGained", all)
end

return M
