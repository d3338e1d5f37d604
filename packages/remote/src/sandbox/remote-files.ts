import { AskError, createMutex } from '@sandagent/core/internal'
import type { RunFiles } from '@sandagent/files'
import type { RelayClient } from '../connection/relay-client.ts'

/** As many names as a list of local files has at most. */
const MOST_NAMES = 250_000

/** A name has at most 255 bytes. */
const MOST_NAME_CHARS = 255 * MOST_NAMES

/** Shared by all sandboxes of this process: two objects may stand for one place. */
const inTurn = createMutex()

export function remoteFiles({ call }: RelayClient, id: string): RunFiles {
  return {
    id,
    read: (path) => call('read', { path }),
    async writeAtomic(path, text, options = {}) {
      const { exclusive, revision, claim } = options
      const write = (): Promise<null> => call('writeAtomic', { path, text, exclusive, revision, claim })
      // A repeated request succeeds if its text is there. So two writers must not send the same text at once.
      if (exclusive || revision !== undefined || claim !== undefined)
        await inTurn(JSON.stringify([id, path]), write)
      else await write()
    },
    async writeAt(path, bytes, offset) {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
      await call('writeAt', { path, bytes: text, offset })
    },
    rename: async (path, name) => void (await call('rename', { path, name })),
    sync: async (directory) => void (await call('sync', { directory })),
    async list(directory) {
      let names: string[] = []
      let chars = 0
      const onEvent = (more: string[]): void => {
        names.push(...more)
        chars += more.reduce((sum, name) => sum + name.length, 0)
        if (names.length > MOST_NAMES || chars > MOST_NAME_CHARS)
          throw new AskError('TOO_LARGE', `A folder has more than ${MOST_NAMES} names`)
      }
      const onAgain = (): void => {
        names = []
        chars = 0
      }
      await call('list', { directory }, { onEvent, onAgain })
      return names
    },
    watch(directory, onChange) {
      const stop = new AbortController()
      call(
        'watch',
        { directory },
        { signal: stop.signal, isWaiting: true, onEvent: onChange, onAgain: () => onChange(null) },
      ).catch(() => {}) // It was stopped. Or the folder cannot be watched: then nothing is reported.
      return () => stop.abort()
    },
    stat: (path) => call('stat', { path }),
    async readFrom(path, offset, most) {
      const text = await call('readFrom', { path, offset, most })
      return text === null ? null : Buffer.from(text, 'base64')
    },
    remove: async (path) => void (await call('remove', { path })),
  }
}
