import type { ChannelWarning } from '@sandagent/core'
import type { SandboxFiles } from '../disk/sandbox-files.ts'

/** What a file was found to be: a settled question, or unreadable. It counts until the file's stamp changes. */
type Verdict = 'settled' | ChannelWarning

/** What is remembered of a folder's files, so that they are not read again. */
export interface KnownFiles {
  get(fileName: string, stamp: string): Verdict | undefined
  set(fileName: string, stamp: string, verdict: Verdict): void
  /** Forgets files that are gone. */
  keep(fileNames: ReadonlyMap<string, unknown>): void
}

/** How many files, and places, are remembered in this process. A file takes some 200 bytes. */
const MOST_FILES = 100_000
const MOST_PLACES = 1000

/** The place that was used last is at the end. */
const places = new Map<string, KnownMap>()
const ofNoPlace = new WeakMap<SandboxFiles, KnownMap>()
type KnownMap = Map<string, { stamp: string; verdict: Verdict }>

/**
 * What this process knows of a folder. It outlives the channel, because hosts make a channel per request. Sandbox files
 * with the same `id` share it.
 */
export function knownFiles(files: SandboxFiles, folder: string): KnownFiles {
  const known = knownOf(files, folder)
  return {
    get(fileName, stamp) {
      const found = known.get(fileName)
      return found?.stamp === stamp ? found.verdict : undefined
    },
    set(fileName, stamp, verdict) {
      if (known.size >= MOST_FILES) known.clear()
      known.set(fileName, { stamp, verdict })
    },
    keep(fileNames) {
      for (const name of known.keys()) if (!fileNames.has(name)) known.delete(name)
    },
  }
}

function knownOf(files: SandboxFiles, folder: string): KnownMap {
  if (files.id === undefined) {
    const known = ofNoPlace.get(files) ?? new Map()
    ofNoPlace.set(files, known)
    return known
  }
  const place = JSON.stringify([files.id, folder])
  const known = places.get(place) ?? new Map()
  places.delete(place)
  places.set(place, known)
  forgetOldPlaces()
  return known
}

function forgetOldPlaces(): void {
  let total = 0
  for (const { size } of places.values()) total += size
  for (const [place, { size }] of places) {
    if (total <= MOST_FILES && places.size <= MOST_PLACES) return
    places.delete(place)
    total -= size
  }
}
