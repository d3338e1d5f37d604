import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chunkOf, createEventCutter, readComplaints, readEnding, readTail } from '../../src/runs/run-log.ts'
import { tempSandbox } from '../support/temp-sandbox.ts'

const DONE = 'data: [DONE]\n\n'
const eventOf = (chunk: object) => `data: ${JSON.stringify(chunk)}\n\n`

/** The files of a sandbox with a log of this text. */
async function logOf(text: string) {
  const { workdir, files } = await tempSandbox()
  await writeFile(join(workdir, 'log'), text)
  return files
}

const endingOf = async (text: string) => readEnding(await logOf(text), 'log')

describe('the events of a log', () => {
  it('are cut at blank lines, wherever the pieces end', () => {
    const bytes = Buffer.from('data: 1\n\ndata: 2\ndata: 3\n\ndata: ü\n\ndata: 4', 'latin1')
    const expected = ['data: 1', 'data: 2\ndata: 3', 'data: ü']
    for (const size of [1, 2, 3, 7, bytes.length]) {
      const cut = createEventCutter()
      const events: string[] = []
      for (let at = 0; at < bytes.length; at += size) events.push(...cut(bytes.subarray(at, at + size)))
      expect(events, `${size}`).toEqual(expected)
    }
  })

  it('are complete when the blank line is split, and not before', () => {
    const cut = createEventCutter()
    expect(cut(Buffer.from('data: 1\n'))).toEqual([])
    expect(cut(Buffer.from('\ndata: 2'))).toEqual(['data: 1'])
    expect(cut(Buffer.from('\n'))).toEqual([])
    expect(cut(Buffer.from('data: 3'))).toEqual([])
    expect(cut(Buffer.from('\n\n'))).toEqual(['data: 2\ndata: 3'])
  })

  it('do not change with the memory of a piece, which may be used again', () => {
    const cut = createEventCutter()
    const memory = Buffer.from('data: 1\n\nda')
    expect(cut(memory)).toEqual(['data: 1'])
    memory.fill('x')
    expect(cut(Buffer.from('ta: 2\n\n'))).toEqual(['data: 2'])
  })

  it('are cut in a piece that is a part of a larger memory', () => {
    const whole = new Uint8Array(Buffer.from('..data: 1\n\n..'))
    expect(createEventCutter()(whole.subarray(2, 11))).toEqual(['data: 1'])
    expect(createEventCutter()(whole.subarray(2, 10))).toEqual([])
  })
})

describe('the end of a log', () => {
  it('keeps letters of all languages in its reason', async () => {
    const error = { type: 'error', errorText: 'Kein Geld für das Modell 👋' }
    expect(await endingOf(eventOf(error) + DONE)).toEqual({ state: 'failed', reason: error.errorText })
  })

  it.each<[string, string, unknown]>([
    ['is missing while the agent works', eventOf({ type: 'start' }), null],
    ['is missing in an empty log', '', null],
    ['is missing while its blank line is', 'data: [DONE]\n', null],
    ['is that of a finished run', eventOf({ type: 'finish' }) + DONE, { state: 'finished' }],
    ['is that of a stopped run', eventOf({ type: 'abort' }) + DONE, { state: 'stopped' }],
    ['has no reason that is no text', eventOf({ type: 'error', errorText: 7 }) + DONE, { state: 'failed' }],
    ['counts the last chunk alone', eventOf({ type: 'error' }) + eventOf({}) + DONE, { state: 'finished' }],
    ['may come after no chunk', DONE, { state: 'finished' }],
    ['may come after what is no chunk', `anything\n\n${DONE}`, { state: 'finished' }],
    [
      'is the last one',
      eventOf({ type: 'abort' }) + DONE + eventOf({ type: 'error' }) + DONE,
      { state: 'failed' },
    ],
    [
      'stays when something is printed behind it',
      `${eventOf({ type: 'abort' })}${DONE}more\n\n`,
      { state: 'stopped' },
    ],
  ])('%s', async (_, text, expected) => {
    expect(await endingOf(text)).toEqual(expected)
  })

  it('is found in a long log, of which only the end is read', async () => {
    const text = `data: ${'x'.repeat(200_000)}\n\n${eventOf({ type: 'abort' })}${DONE}`
    expect(await endingOf(text)).toEqual({ state: 'stopped' })
    const files = await logOf(text)
    expect(Buffer.from(await readTail(files, 'log')).toString()).toBe(text.slice(-64 * 1024))
    expect(Buffer.from(await readTail(files, 'log', 8)).toString()).toBe('[DONE]\n\n')
    expect(Buffer.from(await readTail(await logOf('short'), 'log')).toString()).toBe('short')
    expect(await readTail(files, 'no-such-log')).toEqual(new Uint8Array())
  })
})

it('a chunk is read from its event, and anything else is no chunk', () => {
  const event = Buffer.from('data: {"type":"x","text":"ü"}').toString('latin1')
  expect(chunkOf(event)).toEqual({ type: 'x', text: 'ü' })
  for (const other of ['', 'data: ', 'data: {"type":', 'data: 7', 'data: null', ': comment'])
    expect(chunkOf(other), other).toEqual({})
})

/** What Node prints for an error that nobody catches. */
const CRASH = `node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module '/app/main.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
    at node:internal/main/run_main_module:28:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.20.2
`

it.each([
  ['Node that found no program', CRASH, "Error: Cannot find module '/app/main.js'"],
  [
    'an own error class',
    'x.js:1\n\nAskError [GONE]: It is gone\n    at a (x.js:1:2)\n\nNode.js v22.1.0\n',
    'AskError [GONE]: It is gone',
  ],
  [
    'a stack without an end',
    'TypeError: x is no function\n    at a (x.js:1:2)\n',
    'TypeError: x is no function',
  ],
  [
    'a thrown text',
    "x.js:1\nthrow 'no'\n^\nno\n(Use `node --trace-uncaught ...` to show it)\n\nNode.js v20.20.2\n",
    'no',
  ],
  ['a line after an error', `${CRASH}sandagent: It is over\n`, 'sandagent: It is over'],
  ['a trace of Python', 'Traceback:\n  File "a.py"\nValueError: no number\n', 'ValueError: no number'],
])('the complaint of %s is its error', async (_, text, complaint) => {
  expect(await readComplaints(await logOf(text), 'log')).toMatchObject({ runner: complaint })
})

it('another complaint is the last line that is not blank', async () => {
  const lastOf = async (text: string) => (await readComplaints(await logOf(text), 'log')).runner
  expect(await lastOf('first\n  für alle  \n \n\n')).toBe('für alle')
  expect(await lastOf('only')).toBe('only')
  expect(await lastOf(' \n')).toBeUndefined()
  expect(await lastOf('')).toBeUndefined()
})

it('the complaint of an agent is not what the runner says of it', async () => {
  const files = await logOf(
    `${CRASH}sandagent: A warning\nsandagent: Command failed with exit code 1: node a.mjs\n`,
  )
  const { runner, agent } = await readComplaints(files, 'log')
  expect(runner).toContain('Command failed')
  expect(agent).toBe((await readComplaints(await logOf(CRASH), 'log')).runner)
  expect(await readComplaints(await logOf('sandagent: It is over\n'), 'log')).toMatchObject({
    agent: undefined,
  })
})
