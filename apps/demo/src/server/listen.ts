import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

const HOST = '127.0.0.1'

/** Serves on loopback only, on the given port or the next free one. Port 0 lets the system choose. */
export async function listen(app: RequestListener, port: number): Promise<{ server: Server; url: string }> {
  const server = createServer(app)
  server.listen(port, HOST)
  try {
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || port >= 65_535) throw error
    console.log(`Port ${port} is taken, trying ${port + 1}`)
    return listen(app, port + 1)
  }
  return { server, url: `http://${HOST}:${(server.address() as AddressInfo).port}` }
}
