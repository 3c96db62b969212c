"""The plugin that makes opencode call us: opencode's own hooks are functions of JavaScript modules."""

from __future__ import annotations

from typing import Final

PLUGIN: Final = """\
// Written by `intentls init --agent opencode`. It asks `intentls hook opencode` before and after each tool.
import { spawn } from "node:child_process"

const FREE = new Set(["glob", "grep", "list", "lsp", "webfetch", "websearch", "todowrite", "todoread", "question"])
const TIMEOUT_MS = 130_000
const FAILED = "intentls: refused, because its hook is missing or failed. "

const ask = (event) =>
  new Promise((resolve, reject) => {
    const child = spawn("intentls", ["hook", "opencode", "--wait", "120"], { cwd: event.cwd })
    const out = []
    const err = []
    const timer = setTimeout(() => child.kill(), TIMEOUT_MS)
    child.stdout.on("data", (data) => out.push(data))
    child.stderr.on("data", (data) => err.push(data))
    child.stdin.on("error", () => {})
    child.on("error", (error) => {
      clearTimeout(timer)
      reject(new Error(FAILED + error.message))
    })
    child.on("close", (code) => {
      clearTimeout(timer)
      const text = Buffer.concat(out).toString().trim()
      if (code !== 0) return reject(new Error(Buffer.concat(err).toString().trim() || FAILED))
      try {
        resolve(text ? JSON.parse(text) : {})
      } catch {
        reject(new Error(FAILED))
      }
    })
    child.stdin.end(JSON.stringify(event))
  })

export const Intentls = async ({ directory }) => {
  const parents = new Map()
  const contexts = new Map()
  const models = new Map()
  const root = (id) => (parents.has(id) ? root(parents.get(id)) : id)
  const tell = (name, id, more = {}) =>
    ask({ hook_event_name: name, session_id: root(id), cwd: directory, model: models.get(id), ...more })
  const call = (name, input, args) =>
    tell(name, input.sessionID, { tool_name: input.tool, tool_input: args ?? {}, tool_use_id: input.callID })

  return {
    event: async ({ event }) => {
      const info = event.properties?.info
      if (event.type === "session.created" && info?.parentID) parents.set(info.id, info.parentID)
      if (event.type === "session.idle" || event.type === "session.deleted") {
        const id = event.properties.sessionID ?? info?.id
        if (id && !parents.has(id)) await tell(event.type, id).catch(() => {})
      }
    },
    "experimental.chat.system.transform": async (input, output) => {
      const id = input.sessionID
      if (!id) return
      if (input.model) models.set(id, `${input.model.providerID}/${input.model.id}`)
      if (!contexts.has(id)) {
        contexts.set(id, await tell("session.created", id).then((answer) => answer.context, () => undefined))
      }
      if (contexts.get(id)) output.system.push(contexts.get(id))
    },
    "shell.env": async (input, output) => {
      if (input.sessionID) output.env.INTENTLS_SESSION = root(input.sessionID)
    },
    "tool.execute.before": async (input, output) => {
      if (FREE.has(input.tool)) return
      const answer = await call("tool.execute.before", input, output.args)
      if (answer.deny) throw new Error(answer.deny)
    },
    "tool.execute.after": async (input, output) => {
      if (FREE.has(input.tool)) return
      const answer = await call("tool.execute.after", input, input.args)
      if (answer.context) output.output = `${output.output ?? ""}\\n${answer.context}`
    },
  }
}
"""
