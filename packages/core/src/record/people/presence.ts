import { isObject } from '../../lib/objects.ts'

/** Somebody else who has a question open. */
export interface PresentPerson {
  /** The same for each draft and each presence of one person. */
  id: string
  /** Who it is, if the host knows. */
  name?: string
  /** Whether this person entered something in the last seconds. */
  isTyping: boolean
}

/** Who else has a question open now: the event `presence` of a stream. */
export interface Presence {
  toolCallId: string
  people: PresentPerson[]
}

/** Whether a host's event tells of presence. */
export const isPresence = (value: unknown): value is Presence =>
  isObject(value) &&
  typeof value.toolCallId === 'string' &&
  Array.isArray(value.people) &&
  value.people.every(
    (person) => isObject(person) && typeof person.id === 'string' && typeof person.isTyping === 'boolean',
  )
