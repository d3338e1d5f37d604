import { invalid } from '@sandagent/core/internal'
import { type RunFiles, stateFolders } from '@sandagent/files/internal'
import type { RunSandbox } from '@sandagent/sdk'
import type { Place } from './parked-place.ts'

/** The files of a sandbox: its own while it is awake, those of the host's copy while it sleeps. */
export function parkedFiles(sandbox: RunSandbox, place: Place): RunFiles {
  const { approvals, attachments } = stateFolders(sandbox)
  const { id, stamps, sync, removeOld, watch, writeAt, rename } = sandbox.files

  /** Answers wait in the copy, unless their question may end before they arrive. All else is written in the sandbox itself. */
  const canWait = (path: string): boolean => path.startsWith(`${approvals}/`) && !place.isDue()

  /** The files of people are in the sandbox alone: the copy has none. */
  const where = <T>(path: string, use: (files: RunFiles) => Promise<T>): Promise<T> =>
    path.startsWith(`${attachments}/`) ? place.awake(({ files }) => use(files)) : place.use(use)

  return {
    ...(id !== undefined && { id }),
    read: (path) => place.use((files) => files.read(path)),
    list: (directory) => place.use((files) => files.list(directory)),
    stat: (path) => where(path, (files) => files.stat(path)),
    readFrom: (path, offset, most) => where(path, (files) => files.readFrom(path, offset, most)),
    async writeAtomic(path, text, options) {
      if (!canWait(path)) return place.awake(({ files }) => files.writeAtomic(path, text, options))
      return place.use(async (files) => {
        place.refuseIfGone()
        return files.writeAtomic(path, text, options)
      })
    },
    ...(writeAt && {
      writeAt: (...of) => place.awake(async ({ files }) => files.writeAt?.(...of)),
    }),
    ...(rename && { rename: (...of) => place.awake(async ({ files }) => files.rename?.(...of)) }),
    remove: (path) => place.awake(({ files }) => files.remove(path)),
    ...(sync && { sync: (directory) => place.use(async (files) => files.sync?.(directory)) }),
    ...(stamps && {
      stamps: (directory) =>
        place.use(async (files) => {
          if (!files.stamps) throw invalid('INVALID_REQUEST', 'These files have no stamps', [])
          return files.stamps(directory)
        }),
    }),
    // What is old can go when the sandbox is awake again.
    ...(removeOld && {
      async removeOld(directory, options) {
        await place.ifAwake(async ({ files }) => files.removeOld?.(directory, options))
      },
    }),
    ...(watch && {
      watch(directory, onChange) {
        let stop = place.now().watch?.(directory, onChange)
        const stopMoves = place.onMove(() => {
          stop?.()
          stop = place.now().watch?.(directory, onChange)
          onChange(null)
        })
        return () => {
          stopMoves()
          stop?.()
        }
      },
    }),
  }
}
