import { isDeeperThan } from '../objects.ts'

/** Nested deeper, JSON is not indented: the spaces before each line would make a short text fill the memory. */
const MOST_INDENTED = 32

/** A foreign value as JSON for people, indented; empty for what is no JSON. */
export const jsonForPeople = (value: unknown): string =>
  JSON.stringify(value, null, isDeeperThan(MOST_INDENTED, value) ? 0 : 2) ?? ''
