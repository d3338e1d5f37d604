import type { GrantEntry } from '@sandagent/grants'
import type { InboxQuestion } from '@sandagent/inbox'
import { expect, it, vi } from 'vitest'
import { threePrograms } from '../support/inbox/three-programs.ts'
import type { InboxServer } from '../support/servers/inbox-server.ts'

it('a script asks once for what a person allowed in the inbox, and again once that is taken back', async () => {
  const { workdir, server, command, runScript } = await threePrograms()
  const host = await inboxOf(server)
  const running = runScript()

  const first = await host.waiting('one.js')
  const covers = 'Every command that starts with `node`, until this run ends. `node` can run any code.'
  const scope = first.question.scopes?.find((each) => each.covers === covers)?.id
  await host.answer(first, 'allow-once', { scope })
  const other = await host.waiting('ls')
  const [grant] = await host.grants()
  expect(grant).toMatchObject({
    sandboxId: workdir,
    covers: covers.replace('this', 'its'),
    uses: { count: 1 },
  })
  expect((await command('grants', 'list')).stdout).toMatch(/^[0-9a-f]{16} {2}Every .*\n.*used once\n$/)
  await host.revoke(grant)
  expect((await command('grants', 'list')).stdout).toContain('taken back by')
  await host.answer(other, 'deny')
  const last = await host.waiting('three.js')
  expect(last.question.asksAgain).toMatch(
    /^The permission for every command that starts with `node` was taken back by/,
  )
  await host.answer(last, 'deny')
  await running
  expect((await host.grants())[0]).toMatchObject({ ended: 'revoked', uses: { count: 1 } })
})

/** The inbox, as its page uses it. */
async function inboxOf({ link, origin }: InboxServer) {
  const form = { 'content-type': 'application/x-www-form-urlencoded', origin }
  const body = new URLSearchParams({ link }).toString()
  const signedIn = await fetch(new URL('/login', link), { method: 'POST', headers: form, body })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const at = async <T>(path: string, json?: object): Promise<T> => {
    const headers = { cookie, origin, 'content-type': 'application/json' }
    const given = json && { method: 'POST', body: JSON.stringify(json) }
    const response = await fetch(`${origin}/api/inbox/${path}`, { headers, ...given })
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as T
  }
  return {
    waiting: (words: string): Promise<InboxQuestion> =>
      vi.waitFor(async () => {
        const { questions } = await at<{ questions: InboxQuestion[] }>('questions')
        const found = questions.find(({ question }) => JSON.stringify(question.subject).includes(words))
        if (!found) throw new Error(`Nobody asks about ${words}`)
        return found
      }, 10_000),
    answer: ({ sandboxId, question }: InboxQuestion, selected: string, more = {}) =>
      at(`answer?sandbox=${encodeURIComponent(sandboxId)}`, {
        ...{ toolCallId: question.toolCallId, questionDigest: question.questionDigest, status: 'completed' },
        responses: { permission: { selected: [selected], source: 'human' } },
        ...more,
      }),
    grants: async () => (await at<{ grants: (GrantEntry & { sandboxId: string })[] }>('grants')).grants,
    revoke: (grant: (GrantEntry & { sandboxId: string }) | undefined) =>
      at('revoke', { sandbox: grant?.sandboxId, id: grant?.id }),
  }
}
