-- What a user does in Neovim, one line of output for each: tests/docs/test_editors.py reads them.
local function say(what, ...)
  io.stdout:write(what .. ": " .. table.concat({ ... }, " "):gsub("\n", "\\n") .. "\n")
end

local function ask(method, more)
  local place = vim.tbl_extend("force", vim.lsp.util.make_position_params(), more or {})
  local answers = vim.lsp.buf_request_sync(0, "textDocument/" .. method, place, 120000)
  return answers[htp].result
end

local function lines(places)
  return unpack(vim.tbl_map(function(each) return tostring(each.range.start.line + 1) end, places))
end

local function faults() return vim.diagnostic.get(0) end

vim.cmd("edit model.mlir")
vim.wait(120000, function() return #faults() > 0 end)
for _, each in ipairs(faults()) do say("fault", each.message) end
vim.ui.select = function(items, _, on_choice) on_choice(items[1], 1) end
vim.fn.cursor(5, 10)
vim.lsp.buf.code_action()
vim.wait(120000, function() return vim.fn.getline(5):find("Relu") and #faults() == 0 end)
say("mended", vim.fn.getline(5))
vim.cmd("silent write")
vim.fn.cursor(4, 10)
say("op", ask("hover").contents.value)
vim.fn.cursor(4, 4)
say("value", ask("hover").contents.value)
say("references", lines(ask("references", { context = { includeDeclaration = true } })))
vim.fn.cursor(5, 23)
say("definition", lines({ ask("definition") }))
say("offered", unpack(vim.tbl_map(function(each) return each.label end, ask("completion").items)))
say("symbols", ask("documentSymbol")[1].name)
say("fold", tostring(ask("foldingRange")[1].endLine + 1))
vim.lsp.buf.rename("first")
vim.wait(120000, function() return vim.fn.getline(5):find("%%first") end)
say("renamed", vim.fn.getline(4))
vim.fn.setline(4, (vim.fn.getline(4):gsub(" = ", "=")))
local format = vim.lsp.buf.format or function() vim.lsp.buf.formatting_sync(nil, 120000) end
format({ timeout_ms = 120000 })
say("formatted", vim.fn.getline(4))
vim.cmd("silent write")
for _, each in ipairs(ask("codeLens")) do
  local call = { command = each.command.command, arguments = each.command.arguments }
  local done = vim.lsp.buf_request_sync(0, "workspace/executeCommand", call, 120000)[htp].result
  say(each.command.title, tostring(done.status), done.output or table.concat(vim.fn.readfile(done.path), "\n"))
end
