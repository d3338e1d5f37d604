import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFileRunnerChannel } from '@sandagent/files'
import { declineQuestion, listQuestions, submitAnswer } from '@sandagent/sdk'
import { describe, expect, it, vi } from 'vitest'
import { worksOnRow } from '../support/matrix/agent-row.ts'
import { sandagent, sessionIn } from '../support/models/claude-command.ts'
import { createClaudeWorkspace } from '../support/models/claude-workspace.ts'
import { call, type Turn, text } from '../support/models/messages-api.ts'

const ask = () =>
  call('mcp__questions__ask_user_question', {
    questions: [
      {
        question: 'Which database?',
        options: [{ label: 'Postgres' }, { label: 'SQLite' }],
        defaultOption: 'Postgres',
      },
    ],
    blocking: false,
  })
const check = (ticket: string, action: string) => call('mcp__questions__check_question', { ticket, action })
const bash = (command: string) => call('Bash', { command, description: 'Work' })
const database = (answer: string) => ({ answers: { 'Which database?': answer } })

/** A run of the real binary whose model asks without waiting, and then does this. */
async function start(...turns: Turn[]) {
  const asked = ask()
  const claude = await createClaudeWorkspace([[asked], ...turns])
  const run = claude.start({ tickets: true, allowedTools: ['Bash'] })
  return { ...claude, run, ticket: asked.id }
}

/** What the model has been sent, all in all. */
const sentTo = ({ requests }: { requests: unknown[] }) => JSON.stringify(requests.at(-1) ?? {})

describe('Claude, who asks without waiting', () => {
  worksOnRow('Claude Code', ['`--tickets`', 'as a message in its session'], async () => {
    const { api, asked, answer, run, ticket, transcriptHas } = await start(
      [text('I take Postgres.')],
      [text('I undo it.')],
    )
    await vi.waitFor(() => expect(api.resultOf(ticket)?.text).toContain('Which database?'))
    expect(api.resultOf(ticket)?.text).toContain('Postgres')
    expect(await asked(ticket)).toMatchObject({ blocking: false })
    // Its turn has ended, and the run stays.
    await transcriptHas('I take Postgres.')
    await answer(ticket, database('SQLite'))
    await run.ended
    expect(api.lastPrompt()).toContain(`About the question with the ticket ${ticket}:`)
    expect(api.lastPrompt()).toContain('which does not hold: undo what you based on it')
    await transcriptHas('I undo it.')
    expect(run.chunks).toContainEqual(
      expect.objectContaining({ type: 'tool-output-available', toolCallId: ticket }),
    )
  })

  it('is told while it works', async () => {
    const work = bash('until test -e answered; do sleep 0.05; done')
    const { api, sandbox, answer, run, ticket } = await start([work], [text('I go on.')])
    await answer(ticket, database('Postgres'))
    await vi.waitFor(async () => expect(await listQuestions(sandbox)).toEqual([]))
    await writeFile(join(sandbox.workdir, 'answered'), '')
    await run.ended
    expect(sentTo(api)).toContain('as you assumed, so go on')
    expect(api.resultOf(work.id)?.isError).toBe(false)
  })

  it('waits in the end if it must, and is told once', async () => {
    const asked = ask()
    const waits = () => {
      looks.mockClear()
      return [check(asked.id, 'wait')]
    }
    const { api, sandbox, answer, start } = await createClaudeWorkspace([[asked], waits])
    const channel = createFileRunnerChannel({ workdir: sandbox.workdir })
    const looks = vi.spyOn(channel, 'recordOf')
    const run = start({ tickets: true }, { channel })
    await vi.waitFor(() => expect(api.requests).toHaveLength(2))
    // An answer that comes before the call looks is sent as a message, too: nothing can take that back.
    await vi.waitFor(() => expect(looks.mock.settledResults[0]?.type).toBe('fulfilled'))
    await answer(asked.id, database('SQLite'))
    await run.ended
    expect(sentTo(api)).toContain('does not hold: undo')
    expect(sentTo(api)).not.toContain('About the question with the ticket')
  })

  it('takes its question back, and the run ends with its work', async () => {
    const withdraws = (sent: string) => [check(/Ticket: (toolu_\w+)/.exec(sent)?.[1] as string, 'withdraw')]
    const { sandbox, run, record, ticket } = await start(withdraws)
    await run.ended
    expect(await record(ticket)).toMatchObject({ state: 'aborted' })
    expect(await listQuestions(sandbox)).toEqual([])
  })

  it('is told of a refusal', async () => {
    const { api, asked, sandbox, run, ticket } = await start([text('I take Postgres.')])
    await asked(ticket)
    await declineQuestion(sandbox, { toolCallId: ticket, reason: 'not mine' })
    await run.ended
    expect(sentTo(api)).toContain('What you assumed is not confirmed')
  })

  it('leaves nothing open when it is stopped', async () => {
    const { asked, sandbox, run, ticket } = await start()
    await asked(ticket)
    run.stop()
    await run.ended
    expect(await listQuestions(sandbox)).toEqual([])
  })

  it('ends after a time where the run is deferred, and finds the answer when it is resumed', async () => {
    const asked = ask()
    const claude = await createClaudeWorkspace([[asked], [text('I take Postgres.')], [text('I undo it.')]])
    const before = claude.start({ tickets: true, deferAfterMs: 50 })
    await before.ended
    expect(await claude.record(asked.id)).toMatchObject({ state: 'open' })
    await claude.transcriptHas('I take Postgres.')
    await claude.answer(asked.id, database('SQLite'))
    await claude.start({ tickets: true, resume: before.sessionId() }, { prompt: '' }).ended
    expect(claude.api.lastPrompt()).toContain('does not hold: undo')
    expect(await listQuestions(claude.sandbox)).toEqual([])
  })

  it('gets an answer that was given while it was killed, once', async () => {
    const asked = ask()
    const claude = await createClaudeWorkspace([[asked], [text('I take Postgres.')], [text('I undo it.')]])
    const killed = sandagent(claude, '--tickets', '--', 'Go')
    await claude.asked(asked.id)
    await claude.transcriptHas('I take Postgres.')
    killed.kill()
    const { stdout } = await killed.ended
    await submitAnswer(claude.sandbox, { toolCallId: asked.id, ...database('SQLite') })
    const resume = ['--tickets', '--resume', sessionIn(stdout)]
    expect(await sandagent(claude, ...resume).ended).toMatchObject({ exitCode: 0 })
    expect(claude.api.lastPrompt()).toContain('does not hold: undo')
    expect(await listQuestions(claude.sandbox)).toEqual([])
    const told = claude.api.requests.length
    await claude.transcriptHas('I undo it.')
    expect(await sandagent(claude, ...resume, '--', 'Hello').ended).toMatchObject({ exitCode: 0 })
    expect(claude.api.requests).toHaveLength(told + 1)
    expect(claude.api.lastPrompt()).toBe('Hello')
  })
})
