import { describe, expect, it } from 'vitest'
import { isAskUserQuestionPart } from '../../src/internal.ts'
import { samePart, type ToolPart } from '../../src/question/tool-part.ts'

describe('isAskUserQuestionPart', () => {
  it.each([
    [{ type: 'dynamic-tool', toolName: 'AskUserQuestion' }, true],
    [{ type: 'tool-AskUserQuestion' }, true],
    [{ type: 'dynamic-tool', toolName: 'ask_user_question' }, true],
    [{ type: 'tool-askUserQuestions' }, true],
    [{ type: 'dynamic-tool', toolName: 'mcp__my__server__ask_user_question' }, true],
    [{ type: 'dynamic-tool', toolName: 'mcp__server__ask_user' }, false],
    [{ type: 'dynamic-tool' }, false],
    [{ type: 'dynamic-tool', toolName: 'Bash' }, false],
    [{ type: 'text', toolName: 'AskUserQuestion' }, false],
    [{ type: 'tool-toString' }, false],
  ])('%o is %s', (part, expected) => expect(isAskUserQuestionPart(part)).toBe(expected))

  it('finds calls among parts of other types', () => {
    const call = { type: 'dynamic-tool' as const, toolName: 'AskUserQuestion', toolCallId: 'a', state: 'x' }
    const parts = [{ type: 'text' as const, text: 'Hello' }, call]
    // The types are the point: a part of a chat has more of them than a call has.
    const found: ToolPart | undefined = parts.find(isAskUserQuestionPart)
    const all: ToolPart[] = parts.filter(isAskUserQuestionPart)
    expect([found, all]).toEqual([call, [call]])
  })
})

describe('samePart', () => {
  const part = { type: 'dynamic-tool', toolCallId: 'a', state: 'input-available', input: { questions: [] } }

  it('goes by content, because chat stores copy parts', () => {
    expect(samePart(part, structuredClone(part))).toBe(true)
    expect(samePart(part, { ...part, state: 'output-available' })).toBe(false)
    expect(samePart(part, { ...part, input: { questions: [{}] } })).toBe(false)
    expect(samePart(part, { ...part, output: 1 })).toBe(false)
    expect(samePart(part, { ...part, errorText: 'x' })).toBe(false)
  })
})
