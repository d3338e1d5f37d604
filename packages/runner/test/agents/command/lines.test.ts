import { AskError } from '@sandagent/core'
import { describe, expect, it } from 'vitest'
import { parseProgramLine, parseReplyLine } from '../../../src/agents/command/lines.ts'

describe('parseProgramLine', () => {
  it.each(['', 'Compiling…', '{ not JSON', '42', 'null', '"say"', '["say"]', '{"text":"no type"}'])(
    'takes %j for text',
    (text) => {
      expect(parseProgramLine(text)).toEqual({ type: 'text', text })
    },
  )

  it.each([
    { type: 'say', text: '' },
    { type: 'ask', questions: [] },
    { type: 'ask', id: 'one', questions: [{ question: 'Why?' }], timeoutMs: 1000, timeoutPolicy: 'defaults' },
    { type: 'ask', questions: [], timeoutMs: 'never' },
    { type: 'tool', name: 'Bash', input: { command: 'ls' }, output: { stdout: '' } },
    { type: 'tool', name: 'Bash', input: {}, output: '', error: 'no' },
  ])('reads %j', (message) => {
    expect(parseProgramLine(` ${JSON.stringify(message)}\r`)).toEqual(message)
  })

  it('lets a piece of work have neither input nor output', () => {
    expect(parseProgramLine('{"type":"tool","name":"Rest"}')).toEqual({
      type: 'tool',
      name: 'Rest',
      input: {},
      output: '',
    })
  })

  it.each([
    '{"type":"ask","questions":[{"question":"A "b"?"}]}',
    ' { "type" : "say", "text": "a',
    '{"type":"withdraw"',
    '{"type":"tool","name":"Bash","output":NaN}',
  ])('refuses %j, which begins like a message and is no JSON', (line) => {
    expect(() => parseProgramLine(line)).toThrow('This line cannot be followed: expected JSON')
  })

  it.each([
    [{ type: 'shout' }, 'type: expected say, ask, withdraw or tool'],
    [{ type: 7 }, 'type: expected say, ask, withdraw or tool'],
    [{ type: 'say' }, 'text: expected a value'],
    [{ type: 'say', text: 'a', colour: 'red' }, 'colour: expected no such key'],
    [{ type: 'ask', questions: 'Why?' }, 'questions: expected a list of questions'],
    [{ type: 'ask', questions: [], id: '' }, 'id: expected'],
    [{ type: 'ask', questions: [], timeoutMs: -1 }, 'timeoutMs: expected'],
    [{ type: 'ask', questions: [], timeoutMs: 1e20 }, 'timeoutMs: expected milliseconds up to a year'],
    [
      { type: 'ask', wait: false, subject: { toolName: 'Bash', input: {} } },
      'wait: expected true, or nothing: nobody goes on',
    ],
    [{ type: 'tool', name: 'Bash', input: 'ls' }, 'input: expected an object'],
    [{ type: 'tool', name: 'Bash', input: ['ls'] }, 'input: expected an object'],
  ])('refuses %j', (message, fault) => {
    const read = () => parseProgramLine(JSON.stringify(message))
    expect(read).toThrow(AskError)
    expect(read).toThrow(fault)
  })
})

describe('parseReplyLine', () => {
  const answer = { type: 'answer', id: '1', kind: 'answered', answers: {}, responses: {}, text: '' }
  const read = (line: object) => parseReplyLine(JSON.stringify(line))

  it('reads answers and errors, and leaves out what it does not know', () => {
    const answers = { name: 'Ada', parts: ['Tests', 'Docs'] }
    expect(read({ ...answer, answers, later: 1 })).toEqual({ ...answer, answers })
    const error = { type: 'error', code: 'INVALID_QUESTIONS', message: 'No', faults: [] }
    expect(read(error)).toEqual(error)
  })

  it('refuses what is no reply', () => {
    expect(() => parseReplyLine('hello')).toThrow('This is no reply of a run: expected JSON')
    expect(() => read({ ...answer, answers: { name: 7 } })).toThrow('answers.name: expected')
    expect(() => read({ ...answer, kind: 'perhaps' })).toThrow('kind: expected')
  })
})
