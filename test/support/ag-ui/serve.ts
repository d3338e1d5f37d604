import { Readable } from 'node:stream'
import type { RunAgentInput } from '@ag-ui/core'
import { EventSchemas, RunAgentInputSchema } from '@ag-ui/core/schemas'
import { serve } from '../servers/serve.ts'

export type Input = Pick<RunAgentInput, 'threadId' | 'runId' | 'messages' | 'resume'>

/** An event, without what is the same in each of its run. */
export type AgUiEvent = { type: string } & Record<string, unknown>

/** An agent of AG-UI at an address, which sends what the protocol's own schema takes. */
export async function serveAgUi(reply: (input: Input) => AsyncIterable<AgUiEvent>) {
  const inputs: Input[] = []
  const origin = await serve({
    async POST(request) {
      const input: Input = RunAgentInputSchema.parse(await request.json()) as Input
      inputs.push(input)
      const { threadId, runId } = input
      async function* events(): AsyncGenerator<Uint8Array> {
        const all = async function* () {
          yield { type: 'RUN_STARTED' }
          yield* reply(input)
        }
        for await (const event of all()) {
          const isOfRun = event.type.startsWith('RUN_') && event.type !== 'RUN_ERROR'
          const whole = EventSchemas.parse({ ...event, ...(isOfRun && { threadId, runId }) })
          yield Buffer.from(`data: ${JSON.stringify(whole)}\n\n`)
        }
      }
      const stream = Readable.toWeb(Readable.from(events()))
      return new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>, {
        headers: { 'content-type': 'text/event-stream' },
      })
    },
  })
  return { url: `${origin}/agent`, inputs }
}
