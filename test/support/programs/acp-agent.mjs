// An agent of ACP, by the SDK's own side for agents. It does the steps of a file, and keeps what its client answered.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { Readable, Writable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import * as acp from '@agentclientprotocol/sdk'

const [script] = process.argv.slice(2)
const { capabilities = { loadSession: true }, steps = [], ...more } = JSON.parse(readFileSync(script, 'utf8'))
const keep = (/** @type {object} */ fact) => appendFileSync(`${script}.log`, `${JSON.stringify(fact)}\n`)

/** @param {acp.AgentContext} client @param {string} sessionId @param {any} step @param {AbortSignal} signal */
async function perform(client, sessionId, step, signal) {
  if (step.together)
    await Promise.all(
      step.together.map((/** @type {any} */ each) => perform(client, sessionId, each, signal)),
    )
  if (step.update) await client.notify('session/update', { sessionId, update: step.update })
  if (step.raw) process.stdout.write(`${step.raw}\n`)
  if (step.when) await isThere(step.when)
  if (step.exit !== undefined) process.exit(step.exit)
  if (step.untilCancelled && !signal.aborted)
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  for (const [method, params] of Object.entries(step.request ?? {})) {
    const options = step.withdrawAfter ? { cancellationSignal: withdrawal(step.withdrawAfter) } : {}
    try {
      keep({ method, result: await client.request(method, { sessionId, ...params }, options) })
    } catch (error) {
      keep({ method, error: { code: error.code, message: error.message, data: error.data } })
    }
  }
}

/** Aborts once a file is there. @param {string} path */
function withdrawal(path) {
  const stop = new AbortController()
  void isThere(path).then(() => stop.abort())
  return stop.signal
}

/** Resolves once a file is there. @param {string} path */
async function isThere(path) {
  while (!existsSync(path)) await setTimeout(20)
}

let turn = new AbortController()
const updates = (/** @type {acp.AgentContext} */ client, /** @type {string} */ sessionId) =>
  (more.history ?? []).map((/** @type {any} */ update) =>
    client.notify('session/update', { sessionId, update }),
  )

acp
  .agent()
  .onRequest('initialize', ({ params }) => {
    keep({ method: 'initialize', params })
    return {
      protocolVersion: more.version ?? 1,
      agentCapabilities: capabilities,
      authMethods: more.authMethods ?? [],
    }
  })
  .onRequest('session/new', ({ params }) => {
    keep({ method: 'session/new', params })
    if (more.authMethods) throw acp.RequestError.authRequired()
    return { sessionId: 'session-1' }
  })
  .onRequest('session/load', async ({ params, client }) => {
    keep({ method: 'session/load', params })
    await Promise.all(updates(client, params.sessionId))
    return {}
  })
  .onRequest('session/resume', ({ params }) => {
    keep({ method: 'session/resume', params })
    return {}
  })
  .onRequest('session/prompt', async ({ params, client }) => {
    keep({ method: 'session/prompt', params })
    turn = new AbortController()
    for (const step of steps) await perform(client, params.sessionId, step, turn.signal)
    return { stopReason: turn.signal.aborted ? 'cancelled' : (more.stopReason ?? 'end_turn') }
  })
  .onNotification('session/cancel', () => {
    keep({ method: 'session/cancel' })
    turn.abort()
  })
  .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)))
