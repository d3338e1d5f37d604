// A runner that prints a UI stream of a given number of megabytes, as fast as it can.

import { once } from 'node:events'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ strict: false, options: { megabytes: { type: 'string' } } })
const CHUNKS = 400
const event = `data: ${JSON.stringify({ type: 'text-delta', id: 'text-1', delta: 'word '.repeat(30) })}\n\n`
const piece = event.repeat(CHUNKS)

const bytes = Number(values.megabytes) * 1024 * 1024
for (let printed = 0; printed < bytes; printed += piece.length)
  if (!process.stdout.write(piece)) await once(process.stdout, 'drain')
process.stdout.write('data: [DONE]\n\n')
