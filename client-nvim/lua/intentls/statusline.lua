-- What the status line shows. It only ever reads what the server last told: no redraw asks it anything.
local server = require("intentls.server")
local M = {}

local known = {} -- by client id: the states of its roots, the main one's first
local client_of = {} -- by buffer
local waiting = 0 -- questions that are not answered yet

local WORDS = {
  idle = "no intent",
  broken = "agents blocked",
  undeclared = "no intents",
  other_branch = "no intents on this branch",
  ungoverned = "",
}

local function redraw() vim.cmd.redrawstatus({ bang = true }) end

--- The server tells what holds for its roots: `intentls/stateChanged`.
function M.hear(client_id, state)
  known[client_id] = state.roots
  redraw()
end

--- A question waits for an answer (1), or does so no more (-1).
function M.count(change)
  waiting = waiting + change
  redraw()
end

--- The state of the deepest root above a buffer's file; of the first root where none is.
local function root_of(client_id, bufnr)
  local roots, file = known[client_id] or {}, vim.api.nvim_buf_get_name(bufnr)
  local deepest
  for _, root in ipairs(roots) do
    if vim.fs.relpath(root.root, file) and (not deepest or #root.root > #deepest.root) then deepest = root end
  end
  return deepest or roots[1]
end

--- The active intent of a buffer's workspace, or nil.
function M.active(bufnr)
  local client = server.client(bufnr)
  local root = client and root_of(client.id, bufnr or 0)
  return root and type(root.intent_id) == "string" and root.intent_id or nil
end

--- "INT-001", "no intent", "agents blocked", or "" where nothing is governed; then how many questions wait.
function M.text()
  local bufnr = vim.api.nvim_get_current_buf()
  local root = root_of(client_of[bufnr], bufnr)
  local text = ""
  if root then
    text = WORDS[root.state] or root.intent_id
    if root.state == "unusable" then text = text .. " (unusable)" end
    if root.state == "broken" and not root.blocked then text = "intents unreadable" end
  end
  if waiting == 0 then return text end
  local count = waiting == 1 and "1 question" or waiting .. " questions"
  return vim.trim(text .. "  " .. count)
end

--- Note which client serves which buffer.
function M.listen()
  local group = vim.api.nvim_create_augroup("intentls.statusline", {})
  local function on(event, callback) vim.api.nvim_create_autocmd(event, { group = group, callback = callback }) end
  on("LspAttach", function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == server.NAME then client_of[event.buf] = client.id end
  end)
  on("LspDetach", function(event)
    if client_of[event.buf] == event.data.client_id then client_of[event.buf] = nil end
  end)
end

return M
