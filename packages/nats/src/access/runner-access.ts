import { createHmac } from 'node:crypto'
import { AskError, checkOptions } from '@sandagent/core/internal'
import { checkNamespace } from '@sandagent/fleet/internal'
import { bucketNames } from '../lib/subjects.ts'

/** What a runner is given to reach its own namespace, and nothing else. Keep it as secret as a password. */
export interface RunnerAccess {
  namespace: string
  /** A part of all subjects of the namespace, which nobody else can guess. */
  pass: string
  /** Set it as `inboxPrefix` of the runner's connection. */
  inboxPrefix: string
  /** What the runner's user may publish and subscribe to. */
  permissions: { publish: readonly string[]; subscribe: readonly string[] }
}

export interface RunnerAccessOptions {
  namespace: string
  /** The fleet's secret: the one given to `createNatsFleet`. */
  secret: string
  /** Default `sandagent`. */
  bucket?: string | undefined
}

/** The pass where a fleet has no secret. */
const OPEN_PASS = 'open'

/** Makes the pass of a namespace. It has 132 bits of the secret. */
export function passFrom(secret: string | undefined): (namespace: string) => string {
  if (secret === undefined) return () => OPEN_PASS
  if (secret.length < 32)
    throw new AskError(
      'INVALID_REQUEST',
      `The secret of a fleet has at least 32 characters, and this one has ${secret.length}. Make one by openssl rand -hex 32`,
    )
  return (namespace) => createHmac('sha256', secret).update(namespace).digest('base64url').slice(0, 22)
}

/** The subjects by which a runner asks for the messages of its namespace, and gets them. */
export const watchSubjects = (bucket: string) => ({
  request: (namespace: string, pass: string): string => `sandagent.${bucket}.watch.${namespace}.${pass}`,
  deliver: (namespace: string, pass: string, place: string): string =>
    `sandagent.${bucket}.live.${namespace}.${pass}.${place}`,
})

/** Where a runner asks for the files of its namespace. A host replies. */
export const filesSubject = (bucket: string, namespace: string, pass: string): string =>
  `sandagent.${bucket}.files.${namespace}.${pass}`

/**
 * What a runner may do: publish the records of its own namespace, and receive what is stored there. It has no access to
 * JetStream's API. Runners must be in an account of their own: see {@link natsBoundary}.
 */
export function runnerAccess(options: RunnerAccessOptions): RunnerAccess {
  checkOptions('runnerAccess', options, { namespace: true, secret: 'secret', bucket: true })
  const { namespace, secret, bucket = 'sandagent' } = options
  const { root } = bucketNames(bucket)
  const pass = passFrom(secret)(checkNamespace(namespace))
  const own = `${root}.${namespace}.${pass}`
  const watch = watchSubjects(bucket)
  const inboxPrefix = `_INBOX.${namespace}.${pass}`
  return {
    namespace,
    pass,
    inboxPrefix,
    permissions: {
      publish: [
        `${own}.q.*`,
        `${own}.b`,
        watch.request(namespace, pass),
        filesSubject(bucket, namespace, pass),
      ],
      subscribe: [`${inboxPrefix}.>`, watch.deliver(namespace, pass, '*')],
    },
  }
}
