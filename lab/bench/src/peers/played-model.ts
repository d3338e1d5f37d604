// Loaded before SandAgent's own runner: its model is played. The runner's wait, which is measured, is its own.

import { register } from 'node:module'

const played = new URL('played-claude.js', import.meta.url).href
const hooks = `export const resolve = (name, context, next) =>
  name === '@anthropic-ai/claude-agent-sdk'
    ? { url: ${JSON.stringify(played)}, shortCircuit: true }
    : next(name, context)`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
