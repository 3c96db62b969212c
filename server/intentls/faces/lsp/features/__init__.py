"""The handlers of LSP's methods, a module for each family of methods; `faces.lsp.registry` lists them."""
