// What a page does, without a browser: the session and the connection of a form, which answer each question of a host until
// it gets SIGTERM. Arguments: the address of the host, how long the person thinks in milliseconds.

import { setTimeout as pause } from 'node:timers/promises'
import { createAskSession } from '@sandagent/core'
import { createHttpTransport } from '@sandagent/sdk/react'
import { createTracedFetch } from '@sandagent/telemetry/page'

const [answerEndpoint = '', thinks = '0'] = process.argv.slice(2)
const transport = createHttpTransport({ answerEndpoint, fetch: createTracedFetch() })
/** The questions that the host has shown. */
const shown = new Set()
/** @type {Set<string>} */
const answered = new Set()
const stop = new AbortController()
process.once('SIGTERM', () => stop.abort())

while (!stop.signal.aborted) {
  const { questions } = await list().catch(() => ({ questions: [] })) // The host may be about to end.
  for (const question of questions) if (!answered.has(question.toolCallId)) await answer(question)
  await pause(20)
}

/** @returns {Promise<{ questions: import('@sandagent/core').QuestionView[] }>} */
async function list() {
  return (await fetch(answerEndpoint)).json()
}

/** @param {import('@sandagent/core').QuestionView} question */
async function answer({ toolCallId, toolName = 'AskUserQuestion', questions }) {
  answered.add(toolCallId)
  const part = { type: 'dynamic-tool', toolName, toolCallId, state: 'input-available', input: { questions } }
  const session = createAskSession(part, () => ({
    transport: {
      send: transport.send,
      subscribe: (id, onView, ...more) =>
        transport.subscribe?.(
          id,
          (view) => {
            shown.add(id)
            onView(view)
          },
          ...more,
        ) ?? (() => {}),
    },
    undoMs: 0,
    autoSubmit: false,
  }))
  const end = session.start()
  await until(session, () => shown.has(toolCallId))
  await pause(Number(thinks))
  for (const { id, options } of questions) {
    const first = options?.[0]
    if (first) session.select(id, first.value ?? first.label)
    else session.setFreeText(id, 'Hello')
  }
  session.submit()
  await until(session, ({ status }) => status === 'sent' || status === 'received')
  end()
}

/**
 * @param {import('@sandagent/core').AskSession} session
 * @param {(snapshot: import('@sandagent/core').AskSnapshot) => boolean} isThere
 * @returns {Promise<void>}
 */
function until(session, isThere) {
  return new Promise((resolve) => {
    const look = () => {
      if (!isThere(session.getSnapshot()) && !stop.signal.aborted) return
      unsubscribe()
      resolve()
    }
    const unsubscribe = session.subscribe(look)
    stop.signal.addEventListener('abort', look)
    look()
  })
}
