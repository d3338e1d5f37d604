import { describe, expect, it } from 'vitest'
import { answered } from './answered.ts'
import { bundledProgram } from './bundled-program.ts'
import { canTrace, type Fault } from './faulty-process.ts'
import { createQuestion } from './question.ts'
import { isChange } from './system-call.ts'

/** The slow tests let each call of an answer fail. These are the ones that matter most. */
const FAULTS: [Fault['kind'], RegExp][] = [
  ['EIO', /^write/],
  ['EIO', /^f(?:data)?sync/],
  ['EIO', /^link/],
  ['EDQUOT', /^write/],
  ['EDQUOT', /^link/],
]

describe.runIf(canTrace)('a host whose disk fails', () => {
  it('loses no acknowledged answer to EIO or to a quota, and leaves nothing that blocks another host', async () => {
    const program = await bundledProgram()
    const once = async (fault?: Fault) =>
      answered(program, 'submitAnswer', await createQuestion({ isSigned: false }), { fault })
    const { calls } = await once()
    for (const [kind, name] of FAULTS) {
      const call = calls.find(
        (each) => isChange(each) && name.test(each.name) && !each.text.startsWith('write(1<'),
      )
      if (call === undefined) throw new Error(`An answer makes no call ${name}`)
      const { isHit, told } = await once({ kind, call })
      expect({ kind, name, isHit }).toEqual({ kind, name, isHit: true })
      expect(told, `${kind} at ${call.text}`).not.toBeNull()
    }
  })

  it.each(['EINVAL', 'EOPNOTSUPP'] as const)(
    'stores an answer where syncing a folder fails with %s, as on some shared folders, and not where syncing a file does',
    async (kind) => {
      const program = await bundledProgram()
      const once = async (fault?: Fault) =>
        answered(program, 'submitAnswer', await createQuestion({ isSigned: false }), { fault })
      const { calls } = await once()
      const syncOf = (path: RegExp): Fault => {
        const call = calls.find(({ text }) => /^f(?:data)?sync\(/.test(text) && path.test(text))
        if (call === undefined) throw new Error(`An answer does not sync ${path}`)
        return { kind, call }
      }
      const folder = await once(syncOf(/\/approvals>/))
      expect(folder).toMatchObject({ isHit: true, told: { value: { status: 'completed' } } })
      const file = await once(syncOf(/\.tmp>/))
      expect(file).toMatchObject({ isHit: true, told: { error: 'UNREACHABLE' } })
    },
  )
})
