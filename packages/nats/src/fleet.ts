import { randomInt } from 'node:crypto'
import { createInbox, nuid } from '@nats-io/transport-node'
import { checkOptions } from '@sandagent/core/internal'
import type { QuestionStore } from '@sandagent/core/store'
import type { FleetStore } from '@sandagent/fleet'
import { checkNamespace } from '@sandagent/fleet/internal'
import { askForPiece, openFileGate } from './access/file-gate.ts'
import { askForConsumer, openGate, runnerConsumer } from './access/gate.ts'
import { passFrom, watchSubjects } from './access/runner-access.ts'
import { natsFiles } from './files/nats-files.ts'
import { type BucketNames, bucketNames } from './lib/subjects.ts'
import { runLogs } from './logs/run-logs.ts'
import { questionStore } from './question-store.ts'
import { runRegistry } from './runs.ts'
import { makeBucket } from './service/bucket.ts'
import { CONNECT_OPTIONS, createConnector, type NatsConnectOptions } from './service/connect.ts'
import type { Service } from './service/service.ts'
import { sweep } from './sweep.ts'
import { createConsumer } from './view/consumer.ts'
import { LiveView } from './view/live-view.ts'

/** How often a host hears from its consumer, in milliseconds. */
const HEARTBEAT_MS = 1000

/** How many versions of each text are kept, unless the bucket was made otherwise. */
const HISTORY = 64

/** How many subjects the barriers of hosts have. Each keeps its newest, so a single one would lose those of many hosts. */
const BARRIERS = 16

/** How long logs of runs are kept, unless their stream was made otherwise: seven days, in milliseconds. */
const KEEP_LOGS_MS = 7 * 24 * 3_600_000

/** Where the files of answers are. */
const fileNames = (bucket: string): BucketNames => ({
  bucket,
  stream: `${bucket}_files`,
  root: `${bucket}_files`,
})

export interface NatsFleetOptions extends NatsConnectOptions {
  /** At least 32 characters, the same for all hosts of the fleet. Needed where runners have credentials of their own. */
  secret?: string | undefined
  /** How many servers have a copy of what is stored: 1, 3 or 5. It counts when the bucket is made. Default 1. */
  replicas?: number | undefined
}

export interface NatsQuestionsOptions extends NatsConnectOptions {
  namespace: string
  /** The pass of {@link runnerAccess}. Absent: the fleet has no secret, and the connection may do everything. */
  pass?: string | undefined
}

/** The questions and runs of a fleet in NATS JetStream, for hosts. */
export function createNatsFleet(options: NatsFleetOptions): FleetStore {
  checkOptions('createNatsFleet: its options', options, { ...CONNECT_OPTIONS, secret: true, replicas: true })
  const { bucket = 'sandagent', secret, replicas = 1 } = options
  const names = bucketNames(bucket)
  const runNames = bucketNames(`${bucket}_runs`)
  const logNames = { bucket, stream: `${bucket}_logs`, root: `${bucket}_logs` }
  const kind = { filter: `${names.root}.>`, heartbeatMs: HEARTBEAT_MS, hasFlowControl: true }
  const passOf = passFrom(secret)
  const closing = new AbortController()
  const service = async (): Promise<Service> => (await connect()).service
  const files = natsFiles(fileNames(bucket), service)
  const connector = createConnector(options, async (service) => {
    await makeBucket(service, names, { replicas, history: HISTORY })
    await makeBucket(service, runNames, { replicas, history: 1 })
    await makeBucket(service, fileNames(bucket), { replicas, history: 1 })
    await makeBucket(service, logNames, { replicas, history: -1, maxAgeMs: KEEP_LOGS_MS })
    const live = new LiveView(service, names, {
      passOf,
      barrier: `${names.root}.b.${randomInt(BARRIERS)}`,
      heartbeatMs: kind.heartbeatMs,
      deliverSubject: () => createInbox(options.inboxPrefix),
      start: (deliver, from) => createConsumer(service, names, kind, deliver, from),
      onWarning: options.onWarning,
    })
    if (secret !== undefined) {
      openGate(service, names, passOf, live.closed, options.onWarning)
      openFileGate(service, names, passOf, files, live.closed, options.onWarning)
    }
    return live
  })
  const connect = (): Promise<LiveView> => connector.get()
  return {
    questions: (namespace) => ({
      ...questionStore(checkNamespace(namespace), passOf(namespace), connect),
      ...files.of(namespace),
    }),
    runs: runRegistry(runNames, service),
    logs: runLogs(logNames, service, closing.signal),
    unsettled: async (page) => (await (await connect()).caughtUp()).list({ ...page, unsettled: true }),
    sweep: async ({ olderThanMs }) => sweep(await connect(), { passOf, files }, olderThanMs),
    close() {
      closing.abort()
      return connector.close()
    },
  }
}

/** The questions of one namespace, for a runner. */
export function createNatsQuestions(
  options: NatsQuestionsOptions,
): QuestionStore & { /** Ends the connection and all subscriptions. */ close(): Promise<void> } {
  checkOptions('createNatsQuestions: its options', options, {
    ...CONNECT_OPTIONS,
    namespace: true,
    pass: true,
  })
  const { bucket = 'sandagent', pass } = options
  const namespace = checkNamespace(options.namespace)
  const names = bucketNames(bucket)
  const own = pass ?? passFrom(undefined)(namespace)
  const kind = runnerConsumer(names, namespace, own)
  const connector = createConnector(
    options,
    async (service) =>
      new LiveView(service, names, {
        passOf: () => own,
        barrier: `${names.root}.${namespace}.${own}.b`,
        heartbeatMs: kind.heartbeatMs,
        deliverSubject: () => watchSubjects(bucket).deliver(namespace, own, nuid.next()),
        // Without a pass, the connection may do everything.
        start: (deliver, from) =>
          pass === undefined
            ? createConsumer(service, names, kind, deliver, from)
            : askForConsumer(service, names, { namespace, pass }, deliver, from),
        onWarning: options.onWarning,
      }),
  )
  const service = async (): Promise<Service> => (await connector.get()).service
  const files =
    pass === undefined
      ? natsFiles(fileNames(bucket), service).of(namespace)
      : {
          readFile: async (toolCallId: string, name: string, offset: number) =>
            askForPiece(await service(), names, { namespace, pass }, { toolCallId, name, offset }),
        }
  return {
    ...questionStore(namespace, own, () => connector.get()),
    ...files,
    close: () => connector.close(),
  }
}
