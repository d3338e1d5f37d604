import type { AskComponents } from './ask-form.ts'
import { Filter } from './filter.tsx'
import { Keys } from './keys.tsx'

/** The parts that nobody needs before the form takes entries. */
export const lateComponents: Pick<AskComponents, 'Keys' | 'Filter'> = { Keys, Filter }
