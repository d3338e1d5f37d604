import { access, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, vi } from 'vitest'

/** The questions that were asked in a workdir, by id in the order asked. */
export async function askedIn(workdir: string): Promise<string[]> {
  const names = await readdir(join(workdir, '.sandagent/questions')).catch(() => [])
  return names
    .filter((name) => !name.startsWith('.'))
    .map((name) => name.replace('.json', ''))
    .sort()
}

/** The id of the question that is asked as number `count`, once it is asked. */
export async function asked(workdir: string, count: number): Promise<string> {
  await vi.waitFor(async () => expect(await askedIn(workdir)).toHaveLength(count))
  return (await askedIn(workdir)).at(-1) as string
}

export const questionFile = (workdir: string, id: string): Promise<Record<string, unknown>> =>
  readJson(join(workdir, '.sandagent/questions', `${id}.json`))

export const answerFile = (workdir: string, id: string): Promise<Record<string, unknown>> =>
  readJson(join(workdir, '.sandagent/approvals', `${id}.json`))

export const exists = (workdir: string, path: string): Promise<boolean> =>
  access(join(workdir, path)).then(
    () => true,
    () => false,
  )

const readJson = async (path: string): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(path, 'utf8'))
