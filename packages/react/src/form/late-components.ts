import type { AskComponents } from './ask-form.ts'
import { Filter } from './parts/filter.tsx'
import { Keys } from './parts/keys.tsx'

/** The parts that nobody needs before the form takes entries. */
export const lateComponents: Pick<AskComponents, 'Keys' | 'Filter'> = { Keys, Filter }
