import type { ChannelWarning } from '@sandagent/core'
import type { SandboxFiles } from '../disk/sandbox-files.ts'

/**
 * What a file was found to be: a settled question, whose content is not needed; unreadable; or the text of an open question.
 * It counts until the file's stamp changes.
 */
type KnownFile = 'settled' | ChannelWarning | { text: string }

/** What is remembered of a folder's files, so that they are not read again. */
export interface KnownFiles {
  get(fileName: string, stamp: string): KnownFile | undefined
  set(fileName: string, stamp: string, found: KnownFile): void
  /** Forgets files that are gone. */
  keep(fileNames: ReadonlyMap<string, unknown>): void
}

/** How many files, characters of open questions, and places are remembered in this process. A file takes some 200 bytes. */
const MOST_FILES = 250_000
const MOST_CHARS = 32 * 1024 * 1024
const MOST_PLACES = 1000

/**
 * Two writes at one moment can leave the same stamp. So a text is used again only if it was read this many milliseconds after
 * its stamp was first seen.
 */
const SETTLING_MS = 2000

interface Entry {
  stamp: string
  firstSeenAt: number
  readAt: number
  found: KnownFile
}

interface Place {
  entries: Map<string, Entry>
  chars: number
}

/** The place that was used last is at the end. */
const places = new Map<string, Place>()
const ofNoPlace = new WeakMap<SandboxFiles, Place>()

/**
 * What this process knows of a folder, for one look at it that begins now. It outlives the channel, because hosts make a
 * channel per request. Sandbox files with the same `id` share it.
 */
export function knownFiles(files: SandboxFiles, folder: string, now: () => number): KnownFiles {
  const startedAt = now()
  const place = knownPlaceOf(files, folder)
  const { entries } = place
  const forget = (fileName: string): void => {
    place.chars -= charsOf(entries.get(fileName)?.found)
    entries.delete(fileName)
  }
  return {
    get(fileName, stamp) {
      const entry = entries.get(fileName)
      if (entry?.stamp !== stamp) return undefined
      const isSettling = entry.readAt - entry.firstSeenAt < SETTLING_MS
      return isSettling && charsOf(entry.found) > 0 ? undefined : entry.found
    },
    set(fileName, stamp, found) {
      const before = entries.get(fileName)
      const firstSeenAt = before?.stamp === stamp ? before.firstSeenAt : now()
      forget(fileName)
      if (entries.size >= MOST_FILES || place.chars > MOST_CHARS)
        for (const name of entries.keys()) forget(name)
      entries.set(fileName, { stamp, firstSeenAt, readAt: startedAt, found })
      place.chars += charsOf(found)
    },
    keep(fileNames) {
      for (const name of entries.keys()) if (!fileNames.has(name)) forget(name)
    },
  }
}

const charsOf = (found: KnownFile | undefined): number =>
  typeof found === 'object' && 'text' in found ? found.text.length : 0

function knownPlaceOf(files: SandboxFiles, folder: string): Place {
  if (files.id === undefined) {
    const place = ofNoPlace.get(files) ?? emptyPlace()
    ofNoPlace.set(files, place)
    return place
  }
  const name = JSON.stringify([files.id, folder])
  const place = places.get(name) ?? emptyPlace()
  places.delete(name)
  places.set(name, place)
  forgetOldPlaces()
  return place
}

const emptyPlace = (): Place => ({ entries: new Map(), chars: 0 })

function forgetOldPlaces(): void {
  let [files, chars] = [0, 0]
  for (const place of places.values()) {
    files += place.entries.size
    chars += place.chars
  }
  for (const [name, place] of places) {
    if (files <= MOST_FILES && chars <= MOST_CHARS && places.size <= MOST_PLACES) return
    places.delete(name)
    files -= place.entries.size
    chars -= place.chars
  }
}
