import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { toNodeHandler, type WebHandler } from '@sandagent/sdk'

/** `S A N D` on the keys of a telephone. */
const DEFAULT_PORT = 7263

/** How many ports after the default one are tried. */
const MOST_TRIED = 20

export interface ListenOptions {
  host: string
  /** 0 lets the system choose. Default: {@link DEFAULT_PORT}, or the next free one. */
  port: number | undefined
  /** The files of the certificate and its key. */
  tls: { cert: string; key: string } | undefined
}

/** Serves until the returned function is called. */
export async function listen(
  handler: WebHandler,
  { host, port, tls }: ListenOptions,
): Promise<{ port: number; close(): Promise<void> }> {
  const serve = toNodeHandler(handler)
  const onRequest: Parameters<typeof createServer>[1] = (request, response) => void serve(request, response)
  const make = (): Server =>
    tls
      ? createTlsServer({ cert: readFileSync(tls.cert), key: readFileSync(tls.key) }, onRequest)
      : createServer(onRequest)
  for (let tried = 0; ; tried++) {
    const server = make().listen((port ?? DEFAULT_PORT) + tried, host)
    try {
      await once(server, 'listening')
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (isTaken && port === undefined && tried < MOST_TRIED) continue
      throw error
    }
    return {
      port: (server.address() as AddressInfo).port,
      async close() {
        server.close()
        server.closeAllConnections()
        await once(server, 'close')
      },
    }
  }
}
