import {
  type AnswerStatus,
  type Author,
  authorId,
  type Clock,
  type PresentPerson,
  shownName,
} from '@sandagent/core/internal'
import type { StreamPresence } from './question-stream.ts'

/** How long a person counts as typing after each draft. A draft is sent at each pause in typing. */
const TYPING_MS = 6_000

/** How long a person stays after the last stream has ended: pages open their streams again all the time. */
const GRACE_MS = 3_000

/** The most people of one question. More are not counted. */
const MOST_PEOPLE = 20

/** Who has which question open. It is only in the memory of this process. */
export interface PresenceBook {
  /** Notes that a stream of this person shows a question, until the returned function is called. */
  open(place: string, person: Author): () => void
  /** Notes that a person has just stored a draft, which is typing, or a final answer, which ends it. */
  note(place: string, person: Author, status: AnswerStatus): void
  /** Everybody else who has a question open. */
  others(place: string, person: Author): PresentPerson[]
  /** Calls back after each change of a question, until the returned function is called. */
  onChange(place: string, callback: () => void): () => void
}

interface Entry {
  author: Author
  /** How many streams of the person are open. */
  streams: number
  isTyping: boolean
  cancelTyping: () => void
  cancelLeaving: () => void
}

/** Makes an empty book. Time is counted by `clock`. */
export function createPresenceBook(clock: Clock): PresenceBook {
  const places = new Map<string, Map<string, Entry>>()
  const listeners = new Map<string, Set<() => void>>()

  const report = (place: string): void => {
    for (const callback of [...(listeners.get(place) ?? [])]) callback()
  }

  const find = (place: string, author: Author): Entry | undefined => places.get(place)?.get(authorId(author))

  const enter = (place: string, author: Author): Entry | undefined => {
    const people = places.get(place) ?? new Map<string, Entry>()
    const id = authorId(author)
    const known = people.get(id)
    if (known || people.size >= MOST_PEOPLE) return known
    const nothing = (): void => {}
    const entry = { author, streams: 0, isTyping: false, cancelTyping: nothing, cancelLeaving: nothing }
    places.set(place, people.set(id, entry))
    return entry
  }

  /** Removes a person who has no stream and does not type. */
  const leave = (place: string, { author, streams, isTyping }: Entry): void => {
    if (streams > 0 || isTyping) return
    const people = places.get(place)
    people?.delete(authorId(author))
    if (people?.size === 0) places.delete(place)
    report(place)
  }

  const setTyping = (place: string, entry: Entry, isTyping: boolean): void => {
    if (entry.isTyping === isTyping) return
    entry.isTyping = isTyping
    report(place)
    leave(place, entry)
  }

  return {
    open(place, author) {
      const entry = enter(place, author)
      if (!entry) return () => {}
      entry.cancelLeaving()
      const isNew = entry.streams === 0
      entry.streams++
      if (isNew) report(place)
      let isOpen = true
      return () => {
        if (!isOpen) return
        isOpen = false
        entry.streams--
        entry.cancelLeaving()
        if (entry.streams === 0) entry.cancelLeaving = clock.after(GRACE_MS, () => leave(place, entry))
      }
    },
    note(place, author, status) {
      const isTyping = status === 'pending'
      const entry = isTyping ? enter(place, author) : find(place, author)
      if (!entry) return
      entry.cancelTyping()
      if (isTyping) entry.cancelTyping = clock.after(TYPING_MS, () => setTyping(place, entry, false))
      setTyping(place, entry, isTyping)
    },
    others: (place, author) =>
      [...(places.get(place)?.entries() ?? [])]
        .filter(([id]) => id !== authorId(author))
        .map(([id, { author, isTyping }]) => ({ id, ...shownName(author), isTyping })),
    onChange(place, callback) {
      const callbacks = listeners.get(place) ?? new Set()
      listeners.set(place, callbacks.add(callback))
      return () => {
        callbacks.delete(callback)
        if (callbacks.size === 0) listeners.delete(place)
      }
    },
  }
}

/**
 * The presence of several questions, for the stream of one viewer.
 *
 * @param find the place of a question, and the viewer as the host knows them there
 */
export const joinPresence = (
  book: PresenceBook,
  toolCallIds: readonly string[],
  find: (toolCallId: string) => [place: string, viewer: Author],
): StreamPresence => ({
  join(onChange) {
    const ends = toolCallIds.flatMap((toolCallId) => {
      const [place, viewer] = find(toolCallId)
      return [book.onChange(place, () => onChange(toolCallId)), book.open(place, viewer)]
    })
    return () => {
      for (const end of ends) end()
    }
  },
  others: (toolCallId) => book.others(...find(toolCallId)),
})

const books = new WeakMap<Clock, PresenceBook>()

/** The one book of a clock. So people meet who use different handlers of this process, such as one for answer links. */
export function presenceOf(clock: Clock): PresenceBook {
  const book = books.get(clock) ?? createPresenceBook(clock)
  books.set(clock, book)
  return book
}
