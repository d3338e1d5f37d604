import type { Clock, QuestionView } from '@sandagent/core'
import { type Connect, type Following, followQuestions } from './follow-questions.ts'
import { onReturn } from './on-return.ts'
import { shareTabs } from './share-tabs.ts'

/** An answer API as one caller sees it. */
export interface AnswerSource {
  /** Where it is and who asks: sources with the same name and the same `fetch` share a connection. */
  name: string
  fetch: typeof fetch
  /** Whether other tabs of the browser see the same. */
  isSharedByTabs: boolean
}

interface Member {
  toolCallId: string
  connect: Connect
  onView: (view: QuestionView) => void
}

/** All that a page follows of one source. */
interface PageFollowing {
  source: AnswerSource
  members: Set<Member>
  following: Following
  close(): void
}

const open = new Set<PageFollowing>()

/**
 * Follows a question over the connection that all questions of a page share, until the returned function is called.
 * It is made by the `connect` of whoever came last.
 */
export function followOnPage(source: AnswerSource, member: Member, clock: Clock): () => void {
  const page = [...open].find((other) => isSame(other.source, source)) ?? openPage(source, clock)
  const { members, following } = page
  const update = (): void => following.want([...new Set([...members].map(({ toolCallId }) => toolCallId))])
  members.add(member)
  update()
  return () => {
    members.delete(member)
    if (members.size > 0) update()
    else page.close()
  }
}

/** Asks for everything anew, for instance after somebody signed in. */
export function refreshPage(): void {
  for (const { following } of open) following.refresh()
}

const isSame = (a: AnswerSource, b: AnswerSource): boolean => a.name === b.name && a.fetch === b.fetch

function openPage(source: AnswerSource, clock: Clock): PageFollowing {
  const members = new Set<Member>()
  const connect: Connect = (...request) => {
    const latest = [...members].at(-1)
    return latest ? latest.connect(...request) : Promise.reject(new Error('Nobody follows anything'))
  }
  const onView = (view: QuestionView): void => {
    for (const member of [...members]) if (member.toolCallId === view.toolCallId) member.onView(view)
  }
  const follow = (report: typeof onView): Following => followQuestions(connect, report, clock)
  const following = source.isSharedByTabs
    ? shareTabs(`sandagent ${source.name}`, follow, onView)
    : follow(onView)
  const stopListening = onReturn(following.refresh)
  const page: PageFollowing = {
    source,
    members,
    following,
    close() {
      open.delete(page)
      stopListening()
      following.stop()
    },
  }
  open.add(page)
  return page
}
