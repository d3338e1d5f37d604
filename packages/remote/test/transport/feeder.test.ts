import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it } from 'vitest'
import { uploadFile } from '../../src/connection/upload-file.ts'

it('a feeder whose host has gone drops the last replies, and ends in order', async () => {
  const folder = join(await tempDir(), 'exchange')
  mkdirSync(folder)
  writeFileSync(join(folder, 'end'), '')
  // It ends at once, before its reply is written on.
  const program = ['sh', '-c', 'echo a reply']
  const { status, stderr } = spawnSync(process.execPath, [
    '-e',
    `${uploadFile('feeder.cjs')}`,
    folder,
    'files',
    ...program,
  ])
  expect([status, `${stderr}`]).toEqual([0, ''])
  expect(existsSync(folder)).toBe(false)
})
