// Parsers of @sandagent/remote: the relay's frames, and the record of a parked sandbox.

import { parseWith } from '../../../packages/core/dist/internal.js'
import { createRelayClient } from '../../../packages/remote/dist/connection/relay-client.js'
import { replyToBootstrap, uploadedRelay } from '../../../packages/remote/dist/connection/uploaded-relay.js'
import { readParked } from '../../../packages/remote/dist/park/parked-record.js'
import { CALLS, processInputSchema } from '../../../packages/remote/dist/protocol/calls.js'
import { helloIn, parseFromRelay, parseToRelay } from '../../../packages/remote/dist/protocol/frames.js'
import { createLineCutter } from '../../../packages/remote/dist/protocol/lines.js'
import { fromWireError, toWireError } from '../../../packages/remote/dist/protocol/wire-errors.js'
import { CLOCK } from './keys.mjs'
import { RELAY_SAMPLES } from './relay-samples.mjs'

/** @typedef {import('../parser.mjs').Parser} Parser */

const hash = String(uploadedRelay('node')[3])

/** A frame as a relay could send it: what is nested too deeply cannot be written. @param {unknown} frame */
function written(frame) {
  try {
    return JSON.stringify(frame) ?? ''
  } catch {
    return ''
  }
}

/** Gives a host the frames of a relay as replies to one call, and waits for the end of the call. @param {any} replies */
async function replyTo(replies) {
  const { call, frames } = Object(replies)
  const known = /** @type {any} */ (typeof call === 'string' && Object.hasOwn(CALLS, call) ? call : 'read')
  /** @type {(frame: any, size: number) => void} */
  let reply = () => {}
  const client = createRelayClient({
    clock: CLOCK,
    open: async (taking) => {
      reply = taking.onFrame
      return /** @type {any} */ ({ send() {}, end() {}, lost: new Promise(() => {}) })
    },
  })
  const { value } = client.request(known, /** @type {any} */ ({}), { onEvent() {} })
  const ended = value.catch((error) => error)
  for (const frame of Array.isArray(frames) ? frames : [frames]) {
    try {
      const text = written(frame)
      reply(parseFromRelay(text), text.length)
    } catch (error) {
      client.close()
      throw error
    }
  }
  client.close()
  const result = await ended
  if (result instanceof Error) throw result
}

/** @type {Parser[]} */
export const REMOTE = [
  {
    name: 'remote: the record of a parked sandbox',
    kind: 'json',
    samples: [
      { version: 1, state: 'asleep', at: '2025-01-30T12:00:00.000Z', processes: ['1 2 3'], deadline: null },
    ],
    refuses: ['INVALID_FILE'],
    read: (text) => readParked(/** @type {any} */ ({ read: async () => text })),
  },
  {
    name: 'remote: a frame to a relay',
    kind: 'json',
    samples: RELAY_SAMPLES.toRelay,
    refuses: ['INVALID_REQUEST'],
    read(line) {
      const frame = parseToRelay(line)
      if ('call' in frame && Object.hasOwn(CALLS, frame.call))
        parseWith(/** @type {any} */ (CALLS)[frame.call].args, frame.args, 'INVALID_REQUEST', frame.call)
      if ('input' in frame) parseWith(processInputSchema, frame.input, 'INVALID_REQUEST', 'An input')
    },
  },
  {
    name: 'remote: a frame from a relay',
    kind: 'json',
    samples: RELAY_SAMPLES.fromRelay,
    refuses: ['INVALID_REQUEST', 'TOO_LARGE'],
    read(line) {
      helloIn(line)
      const frame = parseFromRelay(line)
      if ('error' in frame) toWireError(fromWireError(frame.error))
    },
  },
  {
    name: 'remote: what a relay replies',
    kind: 'value',
    samples: RELAY_SAMPLES.replies,
    refuses: [
      'UNREACHABLE',
      'CONFLICT',
      'INVALID_FILE',
      'INVALID_REQUEST',
      'NOT_FOUND',
      'TOO_LARGE',
      'UNSAFE_PATH',
    ],
    mayThrow: (error) => /^E[A-Z]/.test(/** @type {any} */ (error).code ?? '') || error.name === 'Error',
    read: (value) => replyTo(value),
  },
  {
    name: 'remote: bytes of a relay',
    kind: 'bytes',
    samples: ['{"pong":true}\n{"id":1,"value":null}\n'],
    words: ['\n', '\r\n'],
    refuses: ['TOO_LARGE'],
    read(bytes, random) {
      const cut = createLineCutter(() => 1000)
      const at = random.int(bytes.length + 1)
      for (const line of [...cut(bytes.subarray(0, at)), ...cut(bytes.subarray(at))]) helloIn(line)
    },
  },
  {
    name: 'remote: what a sandbox says while a relay is uploaded',
    kind: 'json',
    samples: [
      { sandagent: 'start', wants: hash },
      { sandagent: 'start', node: '18.0.0' },
    ],
    refuses: [],
    mayThrow: ({ message }) => /is too old in the sandbox: 20 or newer is needed$/.test(message),
    read: (line) => replyToBootstrap()(line),
  },
]
