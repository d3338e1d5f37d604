// A service of Restate that waits for one answer after the other, each an awakeable. Sends its port, and then for each
// answer the awakeable's id, and when the service had the answer, by the clock that all processes share.

import { importPeer } from './peers.ts'

interface Context {
  awakeable<T>(): { id: string; promise: Promise<T> }
}

/** What is used of `@restatedev/restate-sdk`. */
interface RestateSdk {
  service(definition: {
    name: string
    handlers: Record<string, (context: Context) => Promise<void>>
  }): unknown
  serve(options: { services: unknown[]; port: number }): Promise<number>
}

/** What it sends. */
export type RestateMessage = { port: number } | { id: string } | { id: string; resolvedAt: string }

// Node 20 has no such function, and the SDK calls it.
Object.assign(Promise, {
  withResolvers<T>() {
    const parts: { promise?: Promise<T>; resolve?: unknown; reject?: unknown } = {}
    parts.promise = new Promise<T>((resolve, reject) => Object.assign(parts, { resolve, reject }))
    return parts
  },
})

const send = (message: RestateMessage): void => void process.send?.(message)

const restate = await importPeer<RestateSdk>('@restatedev/restate-sdk')
const ask = async (context: Context): Promise<void> => {
  const { id, promise } = context.awakeable<string>()
  send({ id })
  await promise
  send({ id, resolvedAt: String(process.hrtime.bigint()) })
}
const port = await restate?.serve({
  services: [restate.service({ name: 'bench', handlers: { ask } })],
  port: 0,
})
if (port !== undefined) send({ port })
