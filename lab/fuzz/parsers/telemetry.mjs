// What @sandagent/telemetry reads of other programs: the body of a request, and the context of a trace in it.

import { createTracedFetch } from '../../../packages/telemetry/dist/page.js'

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

const tracedFetch = createTracedFetch({ fetch: async () => new Response('{}') })

/** @type {import('../parser.mjs').Parser[]} */
export const TELEMETRY = [
  {
    name: 'telemetry: the answer that a request sends',
    kind: 'json',
    samples: [
      { toolCallId: 'call_1', status: 'completed', traceparent: TRACEPARENT },
      { toolCallId: 'call_1' },
    ],
    refuses: [],
    read: (body) => tracedFetch('http://localhost/', { method: 'POST', body }),
  },
]
