import { expect, it } from 'vitest'
import { CommandProse } from '../../../src/agents/command/prose.ts'
import { recordUi } from '../../ui-recorder.ts'

function start() {
  const { ui, chunks } = recordUi()
  /** Each text with its pieces, by id. */
  const texts = () => {
    const found: Record<string, string[]> = {}
    const open = new Set<string>()
    for (const chunk of chunks() as { type: string; id?: string; delta?: string }[]) {
      const id = String(chunk.id)
      if (chunk.type === 'text-start') {
        expect(found).not.toHaveProperty(id)
        found[id] = []
        open.add(id)
      }
      if (chunk.type === 'text-delta') {
        expect(open).toContain(id)
        found[id]?.push(String(chunk.delta))
      }
      if (chunk.type === 'text-end') expect(open.delete(id)).toBe(true)
    }
    return { found, open: [...open] }
  }
  return { prose: new CommandProse(ui), texts, chunks }
}

it('lines follow each other in one text, until it ends', async () => {
  const { prose, texts } = start()
  await prose.line('one')
  await prose.line('')
  expect(texts()).toEqual({ found: { 'text-1': ['one\n', '\n'] }, open: ['text-1'] })
  await prose.end()
  await prose.line('two')
  await prose.end()
  expect(texts()).toEqual({ found: { 'text-1': ['one\n', '\n'], 'text-2': ['two\n'] }, open: [] })
})

it('a paragraph is a text of its own', async () => {
  const { prose, texts } = start()
  await prose.line('one')
  await prose.paragraph('two')
  await prose.paragraph('three')
  await prose.line('four')
  expect(texts()).toEqual({
    found: { 'text-1': ['one\n'], 'text-2': ['two'], 'text-3': ['three'], 'text-4': ['four\n'] },
    open: ['text-4'],
  })
})

it('an end without a text writes nothing', async () => {
  const { prose, chunks } = start()
  await prose.end()
  await prose.paragraph('one')
  await prose.end()
  expect(chunks().map(({ type }) => type)).toEqual(['text-start', 'text-delta', 'text-end'])
})
