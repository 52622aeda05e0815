-- Runs in Neovim without a screen: opens the policy of the argument, and prints what the editor has of the server as
-- JSON on standard error.
local path, gate, at = vim.env.LSP_FILE, vim.env.LSP_GATE, vim.env.LSP_AT

local function fail(why)
  io.stderr:write(why .. "\n")
  vim.cmd("cquit 1")
end

local function wait(what, until_true)
  if not vim.wait(100000, until_true, 10) then
    fail("waited in vain for " .. what)
  end
end

vim.cmd("edit " .. vim.fn.fnameescape(path))
local buffer = vim.api.nvim_get_current_buf()
local published = 0
local show = vim.lsp.handlers["textDocument/publishDiagnostics"]
vim.lsp.handlers["textDocument/publishDiagnostics"] = function(...)
  published = published + 1
  return show(...)
end
local id = vim.lsp.start_client({ name = "ordergate", cmd = { gate, "lsp", "--at", at } })
vim.lsp.buf_attach_client(buffer, id)
wait("diagnostics", function() return published > 0 end)

local function diagnostics()
  local found = {}
  for _, one in ipairs(vim.diagnostic.get(buffer)) do
    found[#found + 1] = { line = one.lnum, col = one.col, end_col = one.end_col, code = one.code, message = one.message }
  end
  return found
end

local function ask(method, line, col)
  vim.api.nvim_win_set_cursor(0, { line, col })
  local params = vim.lsp.util.make_position_params(0, vim.lsp.get_client_by_id(id).offset_encoding)
  return vim.lsp.buf_request_sync(buffer, method, params, 100000)[id].result
end

local answer = { opened = diagnostics() }
answer.hover = ask("textDocument/hover", 6, 4).contents.value
local items = {}
for _, item in ipairs(ask("textDocument/completion", 6, 17).items) do
  items[#items + 1] = item.label
end
answer.items = items

local before = published
vim.api.nvim_buf_set_lines(buffer, 2, 3, false, { "unsure: warn" })
wait("diagnostics of the change", function() return published > before and #diagnostics() < #answer.opened end)
answer.changed = diagnostics()
vim.lsp.buf.formatting_sync(nil, 100000)
answer.text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")

vim.lsp.stop_client(id)
wait("the end of the server", function() return vim.lsp.client_is_stopped(id) end)
io.stderr:write(vim.json.encode(answer) .. "\n")
vim.cmd("qall!")
