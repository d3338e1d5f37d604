import { AskError } from '@sandagent/core'
import { describe, expect, it } from 'vitest'
import { authorizeMany } from '../../../src/http/stream/authorize-many.ts'

const refused = (code: 'FORBIDDEN' | 'LINK_USED') => new AskError(code, 'No')
const ids = (count: number): string[] => Array.from({ length: count }, (_, n) => `t${n}`)

describe('the questions of one stream', () => {
  it('are followed without those that are refused', async () => {
    const check = async (toolCallId: string): Promise<void> => {
      if (toolCallId === 't1') throw refused('FORBIDDEN')
      if (toolCallId === 't2') throw refused('LINK_USED')
    }
    expect(await authorizeMany(ids(4), check)).toEqual({
      following: ['t0', 't3'],
      refused: [
        { toolCallId: 't1', code: 'FORBIDDEN' },
        { toolCallId: 't2', code: 'LINK_USED' },
      ],
    })
    expect(await authorizeMany([], check)).toEqual({ following: [], refused: [] })
  })

  it('are refused with the first reason if all are', async () => {
    const first = refused('LINK_USED')
    const check = async (toolCallId: string): Promise<void> => {
      throw toolCallId === 't0' ? first : refused('FORBIDDEN')
    }
    await expect(authorizeMany(ids(2), check)).rejects.toBe(first)
  })

  it('are 100 at most, and more are not looked at', async () => {
    const checked: string[] = []
    const check = async (toolCallId: string): Promise<void> => void checked.push(toolCallId)
    expect((await authorizeMany(ids(100), check)).following).toHaveLength(100)
    checked.length = 0
    await expect(authorizeMany(ids(101), check)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      faults: [{ path: 'toolCallId', expected: 'at most 100 for one stream' }],
    })
    expect(checked).toEqual([])
  })

  it('fail together if the host fails', async () => {
    const failure = new Error('A bug')
    const check = async (toolCallId: string): Promise<void> => {
      if (toolCallId === 't1') throw failure
    }
    await expect(authorizeMany(ids(2), check)).rejects.toBe(failure)
  })
})
