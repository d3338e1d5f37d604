import { AskError } from '@sandagent/core'
import type { RunFiles } from '@sandagent/files'
import { aborted } from './aborted.ts'
import { handlersOf } from './task.ts'

/** How many names one event has. */
const NAMES_AT_ONCE = 1000

export const fileHandlers = (files: RunFiles) =>
  handlersOf({
    read: ({ path }) => files.read(path),

    async writeAtomic({ path, text, ...options }, { again }) {
      try {
        await files.writeAtomic(path, text, options)
      } catch (error) {
        // The reply to the first request was lost. Hosts write to one file one after the other, so nobody else wrote this.
        if (!(again && error instanceof AskError && error.code === 'CONFLICT')) throw error
        if ((await files.read(path)) !== text) throw error
      }
      return null
    },

    async writeAt({ path, bytes, offset }) {
      await files.writeAt?.(path, Buffer.from(bytes, 'base64'), offset)
      return null
    },

    async rename({ path, name }) {
      await files.rename?.(path, name)
      return null
    },

    async sync({ directory }) {
      await files.sync?.(directory)
      return null
    },

    async list({ directory }, { emit }) {
      const names = await files.list(directory)
      for (let from = 0; from < names.length; from += NAMES_AT_ONCE)
        await emit(names.slice(from, from + NAMES_AT_ONCE))
      return null
    },

    stat: ({ path }) => files.stat(path),

    async readFrom({ path, offset, most }) {
      const piece = await files.readFrom(path, offset, most)
      return piece && Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('base64')
    },

    async remove({ path }) {
      await files.remove(path)
      return null
    },

    async watch({ directory }, { signal, emit }) {
      let isBusy = false
      let hasMore = false
      const report = async (name: string | null): Promise<void> => {
        hasMore = isBusy
        if (isBusy) return
        isBusy = true
        await emit(name)
        isBusy = false
        if (hasMore) await report(null)
      }
      const stop = files.watch?.(directory, (name) => void report(name))
      await aborted(signal)
      stop?.()
      return null
    },
  })
