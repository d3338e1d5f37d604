import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { toNodeHandler, type WebHandler } from '@sandagent/sdk'
import { usage } from '../arguments/option-values.ts'

/** `S A N D` on the keys of a telephone. */
const DEFAULT_PORT = 7263

/** How many ports after the default one are tried. */
const MOST_TRIED = 20

/**
 * Takes a port. Requests wait until `serve` is called.
 *
 * @param options.port 0 lets the system choose. Default: {@link DEFAULT_PORT}, or the next free one
 * @param options.mayMove `false` takes the default port alone
 * @param options.tls the files of the certificate and its key
 * @throws AskError `INVALID_REQUEST` for files that are no certificate and its key, and for a port that is taken
 */
export async function listen({
  host,
  port,
  mayMove = true,
  tls,
}: {
  host: string
  port: number | undefined
  mayMove?: boolean
  tls: { cert: string; key: string } | undefined
}) {
  const certificate = tls && { cert: pem('--tls-cert', tls.cert), key: pem('--tls-key', tls.key) }
  const make = (): Server => (certificate ? tlsServer(certificate) : createServer())
  let serve = (_: WebHandler): void => {}
  const handler = new Promise<WebHandler>((resolve) => {
    serve = resolve
  })
  const handle = toNodeHandler(async (request) => (await handler)(request))
  for (let tried = 0; ; tried++) {
    const server = make()
    server.on('request', (request, response) => void handle(request, response))
    server.listen((port ?? DEFAULT_PORT) + tried, host)
    try {
      await once(server, 'listening')
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (isTaken && port === undefined && mayMove && tried < MOST_TRIED) continue
      if (isTaken)
        throw usage(
          `Another program has the port ${port ?? DEFAULT_PORT}. Choose a free one by --port`,
          error,
        )
      throw error
    }
    return {
      port: (server.address() as AddressInfo).port,
      serve,
      async close(): Promise<void> {
        server.close()
        server.closeAllConnections()
        await once(server, 'close')
      },
    }
  }
}

function pem(option: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw usage(`${option} ${file} cannot be read: ${(error as Error).message}`, error)
  }
}

function tlsServer(certificate: { cert: Buffer; key: Buffer }): Server {
  try {
    return createTlsServer(certificate)
  } catch (error) {
    const why = (error as Error).message
    throw usage(`--tls-cert and --tls-key need a certificate and its key, as PEM: ${why}`, error)
  }
}
