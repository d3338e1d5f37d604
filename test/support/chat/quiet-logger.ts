import type { Logger } from 'chat'

const nothing = (): void => {}

/** Adapters log each step. */
export const quiet: Logger = {
  child: () => quiet,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
}
