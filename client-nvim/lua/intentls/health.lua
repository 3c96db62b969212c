-- :checkhealth intentls
local server = require("intentls.server")
local M = {}
local health = vim.health

local function version_of(program)
  local started, ended = pcall(function() return vim.system({ program, "--version" }, { text = true }):wait(10000) end)
  return started and ended.code == 0 and vim.trim(ended.stdout) or nil
end

local function check_program()
  local program = server.program()
  if not program then return health.info("the server is not started as a program of its own (`cmd` is a function)") end
  local path = vim.fn.exepath(program)
  if path == "" then
    return health.error(("`%s` is not on PATH"):format(program), {
      "pip install intentls, into an environment that is on the PATH of Neovim",
      'or name it: vim.lsp.config("intentls", { cmd = { "/path/to/intentls", "serve" } })',
    })
  end
  local version = version_of(program)
  if not version then return health.error(("%s does not run: try `%s --version`"):format(path, path)) end
  health.ok(("%s: %s"):format(path, version))
end

local function check_enabled()
  if vim.lsp.is_enabled(server.NAME) then return health.ok("enabled") end
  health.error("not enabled", { 'add vim.lsp.enable("intentls") to your init.lua' })
end

local function check_root(root)
  local intents, ledger = root.intents, root.ledger
  health.ok(("%s: %d intents, %d of them open"):format(root.root, intents.declared, intents.open))
  if root.config_error then
    health.error(root.config_error, { "open .orchestration/active_intents.yaml: its diagnostics say where" })
  end
  local problems = root.policy_findings > 0 and (", %d problems in policy.yaml"):format(root.policy_findings) or ""
  health.info(("policy: %s%s"):format(root.mode, problems))
  if root.mode == "advise" then health.warn("policy `mode: advise`: nothing is ever refused here") end
  if ledger.problems > 0 then
    health.error(("the ledger has %d problems"):format(ledger.problems), { "run `intentls trace verify`" })
  else
    health.ok(("ledger: %d records, verified: %s"):format(ledger.records, ledger.verified))
  end
end

local function check_client(client)
  local version = (client.server_info or {}).version or "?"
  local folder = client.root_dir or "no folder"
  health.ok(("runs for %s, version %s, positions in %s"):format(folder, version, client.offset_encoding))
  local status
  server.ask_program(client, { "status", "--json" }, function(document) status = document or false end)
  vim.wait(10000, function() return status ~= nil end, 20)
  if not status then return health.warn("`intentls status` does not answer", { "run it in " .. folder }) end
  if #status.roots == 0 then
    health.warn("no intents here: nothing is governed, nothing is recorded", { "run `intentls init` in " .. folder })
  end
  vim.iter(status.roots):each(check_root)
end

local function check_watcher(client)
  local watched = vim.tbl_get(client.capabilities, "workspace", "didChangeWatchedFiles", "dynamicRegistration")
  if watched then return health.ok("file watcher: Neovim's") end
  health.ok("file watcher: none, and none is needed: the server looks at its files itself")
end

function M.check()
  health.start("intentls: the program")
  check_program()
  check_enabled()
  health.start("intentls: this session")
  local clients = vim.lsp.get_clients({ name = server.NAME })
  if #clients == 0 then
    local advice = { "open a file below a folder with .orchestration/ or .git", ":checkhealth vim.lsp says more" }
    return health.warn("it does not run yet", advice)
  end
  for _, client in ipairs(clients) do
    check_client(client)
    check_watcher(client)
  end
end

return M
