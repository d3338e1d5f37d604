import { isObject } from '../lib/objects.ts'

/** The key that the host of SandAgent's successor puts among the answers when the time is over. */
const EXPIRY_MARKER = '__bunny_agent_timeout__'

/** Whether answers by question text say that the time was over before they were all given. */
export const isExpiry = (answers: unknown): answers is object =>
  isObject(answers) && Object.hasOwn(answers, EXPIRY_MARKER)
