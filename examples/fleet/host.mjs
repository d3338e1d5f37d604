// One of several hosts that share a store.   STORE=postgres://… SANDAGENT_SIGNING_KEY=… ANSWER_TOKEN=… node host.mjs
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRunnerHandler, fleetSandbox } from '@sandagent/fleet-host'
import { createPostgresFleet } from '@sandagent/postgres'
import { createAnswerHandler, toNodeHandler } from '@sandagent/sdk'

const { STORE, PORT = '8080', ANSWER_TOKEN } = process.env
if (!STORE || !ANSWER_TOKEN || !process.env.SANDAGENT_SIGNING_KEY)
  throw new Error('Set STORE, ANSWER_TOKEN and SANDAGENT_SIGNING_KEY')
const store = createPostgresFleet({
  connectionString: STORE,
  onWarning: ({ message }) => console.error(message),
})

// Runners show their own token. Here people show one common token: put your sign-in in its place.
const runners = toNodeHandler(createRunnerHandler({ fleet: store }))
const answers = toNodeHandler(
  createAnswerHandler({
    sandbox: (request) => fleetSandbox(store, new URL(request.url).searchParams.get('run') ?? ''),
    authorize: (request) =>
      request.headers.get('authorization') === `Bearer ${ANSWER_TOKEN}` && { answeredBy: 'operator' },
  }),
)

const server = createServer(async (request, response) => {
  const [pathname = ''] = (request.url ?? '').split('?')
  if (pathname.startsWith('/runner/')) return runners(request, response)
  if (pathname === '/answer') return answers(request, response)
  if (pathname !== '/health') return void response.writeHead(404).end()
  const isUp = await store.unsettled({ limit: 1 }).then(
    () => true,
    () => false,
  )
  response.writeHead(isUp ? 200 : 503).end()
})
await once(server.listen(Number(PORT)), 'listening')
const address = /** @type {import('node:net').AddressInfo} */ (server.address())
console.log(`ready http://127.0.0.1:${address.port}`)

// Streams end at once, and their clients connect to another host.
process.once('SIGTERM', async () => {
  server.close()
  server.closeAllConnections()
  await store.close()
})
