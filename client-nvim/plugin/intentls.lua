-- The commands. Each loads its module when it is called for the first time.
if vim.g.loaded_intentls then return end
vim.g.loaded_intentls = true

local function intents() return require("intentls.intents") end
local function command(name, run, options) vim.api.nvim_create_user_command(name, run, options) end

local function select_or_ask(id)
  if id and id ~= "" then intents().select(id) else intents().choose() end
end

command("LspIntentSelect", function(call) select_or_ask(call.args) end, {
  nargs = "?",
  complete = function(typed) return intents().complete(typed) end,
  desc = "Select an intent; without an id, choose one",
})
command("LspIntentStatus", function() require("intentls.status").show() end, {
  desc = "The intent, its scope, who else works where",
})
command("LspIntentTrace", function() require("intentls.trace").show() end, { desc = "What happened to this file" })

command("LspIntentDefinition", function() require("intentls.definition").show() end, {
  desc = "What happened to the definition around the cursor",
})

local verbs = {
  choose = function() intents().choose() end,
  select = select_or_ask,
  list = function() intents().list() end,
  clear = function() intents().clear() end,
}
command("Intent", function(call)
  local verb = verbs[call.fargs[1] or "choose"]
  if not verb then return vim.notify(":Intent [select [ID] | list | clear]", vim.log.levels.ERROR) end
  verb(call.fargs[2])
end, {
  nargs = "*",
  complete = function(typed, line)
    if line:match("^%s*%S+%s+select%s") then return intents().complete(typed) end
    return vim.tbl_filter(function(verb) return vim.startswith(verb, typed) end, { "clear", "list", "select" })
  end,
  desc = "Select, list and clear intents",
})

require("intentls.statusline").listen()
require("intentls.line_author").listen()

-- vim.lsp.enable() starts servers by file type, so a file of no type (VERSION, say) would go ungoverned.
vim.api.nvim_create_autocmd({ "BufReadPost", "BufNewFile" }, {
  group = vim.api.nvim_create_augroup("intentls.untyped", {}),
  callback = vim.schedule_wrap(function(event)
    local untyped = vim.api.nvim_buf_is_loaded(event.buf) and vim.bo[event.buf].filetype == ""
    if not untyped or not vim.lsp.is_enabled("intentls") then return end
    vim.api.nvim_exec_autocmds("FileType", { group = "nvim.lsp.enable", buffer = event.buf })
  end),
})
