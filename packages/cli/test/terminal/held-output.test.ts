import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { holdOutput } from '../../src/terminal/held-output.ts'
import { createWriter } from '../../src/writer.ts'

describe('what is written while a form is on the screen', () => {
  it('appears when the form has gone, and keeps no writer waiting', async () => {
    const stdout = new PassThrough()
    const { output, hold } = holdOutput(stdout)
    const write = createWriter(output)
    await write('before ')
    const release = hold()
    await write('meanwhile ')
    expect(String(stdout.read())).toBe('before ')
    stdout.write('form ')
    release()
    await write('after')
    expect(String(stdout.read())).toBe('form meanwhile after')
  })
})
