import { describe, expect, it } from 'vitest'
import { approvalQuestion } from '../../src/internal.ts'
import { openSession, sent, succeed, viewOfPart } from './session-fixture.ts'

const subject = { toolName: 'Bash', input: { command: 'rm -rf build' }, editable: true as const }
const edited = { command: 'rm -rf build/tmp' }

/** A session of an approval that the host shows. */
function openApproval(given: Partial<typeof subject> = subject, drafts?: object) {
  const opened = openSession([approvalQuestion('Bash')], {
    autoSubmit: 'immediately',
    ...(drafts && { drafts: drafts as never }),
  })
  opened.session.start()
  const view = viewOfPart(opened.part, { kind: 'approval', subject: given as typeof subject })
  opened.transport.show({ ...view, questions: [{ ...approvalQuestion('Bash'), id: 'permission' }] })
  return opened
}

const responses = (transport: ReturnType<typeof openApproval>['transport'], index = -1) =>
  transport.requests.at(index)?.submission.responses.permission

describe('an edited input on a page', () => {
  it('is kept as a draft that decides nothing', () => {
    const { session, transport, clock } = openApproval()
    session.setInput('permission', edited)
    clock.advance(300)
    expect(sent(transport)).toEqual(['pending'])
    expect(responses(transport)).toEqual({ selected: [], input: edited, source: 'human' })
    expect(session.getSnapshot().responses.permission).toMatchObject({ input: edited })
  })

  it('is sent only with the decision that names it', async () => {
    const { session, transport } = openApproval()
    session.select('permission', 'allow-once', { input: edited })
    expect(responses(transport)).toEqual({ selected: ['allow-once'], input: edited, source: 'human' })
    expect(sent(transport)).toEqual(['completed'])
  })

  it.each(['allow-once', 'deny'])('is not sent with %s of a form that shows no edits', async (value) => {
    const { session, transport, clock } = openApproval()
    session.setInput('permission', edited)
    clock.advance(300)
    await succeed(transport, 0)
    session.select('permission', value)
    expect(sent(transport)).toEqual(['pending', 'completed'])
    expect(responses(transport)).toEqual({ selected: [value], source: 'human' })
  })

  it('takes back a decision that was picked before', () => {
    const { session, transport, clock } = openApproval()
    session.select('permission', 'allow-once', { autoSubmit: false })
    session.setInput('permission', edited)
    clock.advance(300)
    session.submit()
    expect(session.getSnapshot().missing).toEqual(['permission'])
    expect(sent(transport)).not.toContain('completed')
  })

  it('is removed when the person takes it back', () => {
    const { session, transport, clock } = openApproval()
    session.setInput('permission', edited)
    session.setInput('permission', undefined)
    clock.advance(300)
    expect(JSON.stringify(responses(transport))).toBe('{"selected":[],"source":"human"}')
  })

  it('survives a reload, with names that a prototype has', () => {
    let kept: unknown = null
    const drafts = {
      read: () => kept && JSON.parse(JSON.stringify(kept)),
      write: (value: unknown) => {
        kept = value
      },
    }
    const hostile = JSON.parse('{"command":"ls","__proto__":{"a":"\u200b"}}')
    openApproval(subject, drafts).session.setInput('permission', hostile)
    const { session } = openApproval(subject, drafts)
    const found = session.getSnapshot().entered.permission as { input: object }
    expect(JSON.stringify(found.input)).toBe(JSON.stringify(hostile))
  })

  it('of another person is taken over whole', () => {
    const { session, transport, part } = openApproval()
    const other = { id: 'bob', responses: { permission: { selected: [], input: edited, source: 'human' } } }
    const view = viewOfPart(part, { kind: 'approval', subject })
    transport.show({
      ...view,
      questions: [{ ...approvalQuestion('Bash'), id: 'permission' }],
      otherDrafts: [{ ...other, revision: 3, at: '' }] as never,
    })
    session.takeOver('bob')
    expect(session.getSnapshot().entered.permission).toMatchObject({ selected: [], input: edited })
  })
})
