import { describe, expect, it } from 'vitest'
import { createClaudeWorkspace } from '../support/claude-workspace.ts'
import { call, text } from '../support/messages-api.ts'

const question = (words: string, labels: readonly string[], more: object = {}) => ({
  question: words,
  header: 'Choice',
  options: labels.map((label) => ({ label, description: `About ${label}` })),
  multiSelect: false,
  ...more,
})
const ask = (...questions: object[]) => call('AskUserQuestion', { questions })
const human = { source: 'human' } as const

const RECOGNISED = (answers: string) => ({
  text: `Your questions have been answered: ${answers}. You can now continue with these answers in mind.`,
  isError: false,
})
const TO_READ = (answers: string) => ({
  text: `The user answered: ${answers}. Read the answers carefully — they may request clarification, changes, or that you not proceed — and follow what they actually say.`,
  isError: false,
})

/** Lets the binary make a call, answers it, and gives what the model was told. */
async function told(
  asked: ReturnType<typeof ask>,
  answer: Parameters<Awaited<ReturnType<typeof createClaudeWorkspace>>['answer']>[1],
) {
  const claude = await createClaudeWorkspace([[text('Let me ask.'), asked]])
  const run = claude.start()
  await claude.answer(asked.id, answer)
  await run.ended
  return claude.api.resultOf(asked.id)
}

describe('Claude is told of', () => {
  it('a single choice by its label', async () => {
    expect(
      await told(ask(question('Which language?', ['TypeScript', 'Go'])), {
        answers: { 'Which language?': 'Go' },
      }),
    ).toEqual(RECOGNISED('"Which language?"="Go"'))
  })

  it('several choices, joined', async () => {
    expect(
      await told(ask(question('Which parts?', ['Auth', 'Search', 'Mail'], { multiSelect: true })), {
        responses: { q1: { selected: ['Mail', 'Auth'], ...human } },
      }),
    ).toEqual(RECOGNISED('"Which parts?"="Mail, Auth"'))
  })

  it('a label with a comma, bare alone and quoted among several', async () => {
    const labels = ['Yes, always', 'No', 'Say "hi", now']
    expect(
      await told(ask(question('Single?', labels), question('Several?', labels, { multiSelect: true })), {
        responses: {
          q1: { selected: ['Yes, always'], ...human },
          q2: { selected: ['No', 'Yes, always', 'Say "hi", now'], ...human },
        },
      }),
    ).toEqual(RECOGNISED('"Single?"="Yes, always", "Several?"="No, "Yes, always", "Say \\"hi\\", now""'))
  })

  it('typed words as they were typed', async () => {
    expect(
      await told(ask(question('Which language?', ['TypeScript', 'Go'])), {
        responses: { q1: { selected: [], freeText: 'Rust, or "C"\nif you must', ...human } },
      }),
    ).toEqual(TO_READ('"Which language?"="Rust, or "C"\nif you must"'))
  })

  it('a note beside an answer', async () => {
    expect(
      await told(ask(question('Which language?', ['TypeScript', 'Go'])), {
        responses: { q1: { selected: ['Go'], notes: 'only the standard library', ...human } },
      }),
    ).toEqual(TO_READ('"Which language?"="Go" notes: only the standard library'))
  })

  it('the preview of the option picked', async () => {
    const options = ['Wide', 'Narrow'].map((label) => ({
      label,
      description: 'A layout',
      preview: `# ${label}`,
    }))
    expect(
      await told(ask({ ...question('Which layout?', []), options }), {
        answers: { 'Which layout?': 'Narrow' },
      }),
    ).toEqual(RECOGNISED('"Which layout?"="Narrow" selected preview:\n# Narrow'))
  })

  it('a skipped question by name, so that it is not taken for an answered one', async () => {
    expect(
      await told(
        ask(question('Which language?', ['TypeScript', 'Go']), question('Which name?', ['A', 'B'])),
        {
          responses: { q1: { selected: ['Go'], ...human }, q2: { skipped: true } },
          status: 'completed',
        },
      ),
    ).toEqual(
      TO_READ(
        '"Which language?"="Go", "Which name?"=(no option selected) notes: The user skipped this question. Do not take this for a choice; say which assumption you make if you go on.',
      ),
    )
  })

  it('nothing that the model filled in itself', async () => {
    const asked = call('AskUserQuestion', {
      ...(ask(question('Which language?', ['TypeScript', 'Go'])).input as object),
      answers: { 'Which language?': 'TypeScript' },
      annotations: { 'Which language?': { notes: 'the user insists' } },
    })
    expect(await told(asked, { answers: { 'Which language?': 'Go' } })).toEqual(
      RECOGNISED('"Which language?"="Go"'),
    )
  })
})

describe('two questions in one message', () => {
  it('wait side by side, and each gets its own answer', async () => {
    const first = ask(question('First?', ['A', 'B']))
    const second = ask(question('Second?', ['C', 'D']))
    const { api, start, answer, asked } = await createClaudeWorkspace([[first, second]])
    const run = start()
    await Promise.all([asked(first.id), asked(second.id)])
    await answer(second.id, { answers: { 'Second?': 'D' } })
    await answer(first.id, { answers: { 'First?': 'A' } })
    await run.ended
    expect(api.resultOf(first.id)).toEqual(RECOGNISED('"First?"="A"'))
    expect(api.resultOf(second.id)).toEqual(RECOGNISED('"Second?"="D"'))
  })
})
