import { EventEmitter } from 'node:events'
import {
  type AnswerStatus,
  type Author,
  authorId,
  type Clock,
  type PresentPerson,
  shownName,
} from '@sandagent/core/internal'

/** How long a person counts as typing after each draft. A draft is sent at each pause in typing. */
const TYPING_MS = 6_000

/** How long a person stays after the last stream has ended: pages open their streams again all the time. */
const GRACE_MS = 3_000

/** The most people of one question. More are not counted. */
const MOST_PEOPLE = 20

/** Who has which question open. It is only in the memory of this process. */
export interface PresenceBook {
  /** Notes that a stream of this person shows a question. The returned function notes the end of the stream. */
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
  /** How many streams of the person are open, or have ended just now. */
  streams: number
  /** While the person types. */
  cancelTyping?: (() => void) | undefined
}

/** Makes an empty book. Time is counted by `clock`. */
export function createPresenceBook(clock: Clock): PresenceBook {
  const places = new Map<string, Map<string, Entry>>()
  const changes = new EventEmitter().setMaxListeners(0)

  const enter = (place: string, author: Author): Entry | undefined => {
    const people = places.get(place) ?? new Map<string, Entry>()
    const id = authorId(author)
    if (!people.has(id) && people.size < MOST_PEOPLE)
      places.set(place, people.set(id, { author, streams: 0 }))
    return people.get(id)
  }

  /** Reports a change of a person, who leaves without a stream if nothing is typed. */
  const report = (place: string, { author, streams, cancelTyping }: Entry): void => {
    const people = places.get(place)
    if (streams === 0 && !cancelTyping) people?.delete(authorId(author))
    if (people?.size === 0) places.delete(place)
    changes.emit(place)
  }

  return {
    open(place, author) {
      const entry = enter(place, author)
      if (!entry) return () => {}
      if (entry.streams++ === 0) report(place, entry)
      const end = (): void => {
        entry.streams--
        if (entry.streams === 0) report(place, entry)
      }
      return () => void clock.after(GRACE_MS, end)
    },
    note(place, author, status) {
      const isTyping = status === 'pending'
      const entry = isTyping ? enter(place, author) : places.get(place)?.get(authorId(author))
      if (!entry) return
      const wasTyping = entry.cancelTyping !== undefined
      entry.cancelTyping?.()
      const end = (): void => {
        entry.cancelTyping = undefined
        report(place, entry)
      }
      if (isTyping) entry.cancelTyping = clock.after(TYPING_MS, end)
      if (isTyping && !wasTyping) report(place, entry)
      if (!isTyping && wasTyping) end()
    },
    others: (place, author) =>
      [...(places.get(place) ?? [])]
        .filter(([id]) => id !== authorId(author))
        .map(([id, { author, cancelTyping }]) => ({ id, ...shownName(author), isTyping: !!cancelTyping })),
    onChange(place, callback) {
      changes.on(place, callback)
      return () => void changes.off(place, callback)
    },
  }
}

const books = new WeakMap<Clock, PresenceBook>()

/** The one book of a clock. So people meet who use different handlers of this process, such as one for answer links. */
export function presenceOf(clock: Clock): PresenceBook {
  const book = books.get(clock) ?? createPresenceBook(clock)
  books.set(clock, book)
  return book
}
