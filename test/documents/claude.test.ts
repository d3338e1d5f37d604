// The document of Claude's tool, sentence by sentence, with the real binary in the part of Claude Code.
import { CLAUDE_TOOL, parseRequest } from '@sandagent/core/dialects/claude'
import { describe, expect, it } from 'vitest'
import { createClaudeWorkspace } from '../support/models/claude-workspace.ts'
import { call, text } from '../support/models/messages-api.ts'

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

  it('typed words beside a choice, as they were typed', async () => {
    expect(
      await told(ask(question('Which parts?', ['Auth', 'Search'], { multiSelect: true })), {
        responses: { q1: { selected: ['Auth'], freeText: 'plain, and small', ...human } },
      }),
    ).toEqual(TO_READ('"Which parts?"="Auth, plain, and small"'))
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

/** A schema without the words in it. */
const bare = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema, (key, value) => (key === 'description' ? undefined : value)))

describe('the tool', () => {
  it('asks for questions with the limits of the binary’s own, and says what the binary’s own says', async () => {
    const claude = await createClaudeWorkspace([])
    await claude.start().ended
    const theirs = claude.api.requests[0]?.tools?.find(({ name }) => name === CLAUDE_TOOL.name)
    const { questions } = theirs?.input_schema?.properties ?? {}
    expect(bare(CLAUDE_TOOL.inputSchema.properties?.questions)).toEqual(bare(questions))
    // What is new in their description is said here in other words, see below.
    expect(theirs?.description).toContain('may see only the question')
  })

  it.each([
    ['it is for decisions that are the user’s alone', /decision that is the user’s to make/],
    ['what has a usual default, or can be looked up, is not asked', /Where there is a usual default/],
    ['users may always type an answer of their own', /The user may always type an answer/],
    [
      'a recommended option comes first and says so',
      /recommend first and end its label with "\(Recommended\)"/,
    ],
    ['it does not ask whether a plan is ready', /do not use it to ask whether a plan is ready/],
    ['each question makes sense alone, since the user may see nothing else', /must make sense alone/],
  ])('tells the model that %s', (_, words) => {
    expect(CLAUDE_TOOL.description).toMatch(words)
  })

  it('tells the model to leave out an option for other answers', () => {
    expect(JSON.stringify(CLAUDE_TOOL.inputSchema)).toContain('Do not add \\"Other\\"')
  })
})

describe('meant differently from Claude’s own', () => {
  it('the model is not shown the places for answers, annotations and metadata', () => {
    expect(Object.keys(CLAUDE_TOOL.inputSchema.properties ?? {})).toEqual(['questions'])
  })

  it('a question may stand without options where the session knows kinds', () => {
    const number = { question: 'How many?', header: 'Count', kind: 'number', min: 1, max: 10 }
    expect(parseRequest({ questions: [number] })).toMatchObject([
      { typed: { kind: 'number', min: 1, max: 10 } },
    ])
  })
})

describe('a subagent', () => {
  it('is named by the permission that it asks for, with the call that started it', async () => {
    const agent = call('Agent', {
      description: 'Make a file',
      prompt: 'Make a file',
      subagent_type: 'general-purpose',
      run_in_background: false,
    })
    const touch = call('Bash', { command: 'touch a.txt', description: 'Make a file' })
    const own = call('Bash', { command: 'touch b.txt', description: 'Make another file' })
    const claude = await createClaudeWorkspace([[agent], [touch], [text('Made.')], [own], [text('Done.')]])
    const run = claude.start()
    const { asker } = await claude.asked(touch.id)
    expect(asker).toEqual({ agent: 'general-purpose', parentToolCallId: agent.id })
    const allowed = { responses: { permission: { selected: ['allow-once'], ...human } } }
    await claude.answer(touch.id, allowed)
    expect(await claude.asked(own.id)).not.toHaveProperty('asker')
    await claude.answer(own.id, allowed)
    await run.ended
  })
})
