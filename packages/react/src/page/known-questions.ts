import type { AskSnapshot } from '@sandagent/core/internal'
import { createPageList, type PageList } from './page-list.ts'

/** What the forms of this page know of their questions. The messages of the chat say it later. */
export const knownQuestions: PageList<AskSnapshot> = createPageList(() => 0)
