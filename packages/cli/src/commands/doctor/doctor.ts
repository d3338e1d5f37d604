import { resolve } from 'node:path'
import { printableLine } from '@sandagent/core/internal'
import { readCommandLine } from '../../arguments/command-line.ts'
import { usage } from '../../arguments/option-values.ts'
import type { CliIo } from '../../io.ts'
import { jsonLine } from '../../json-line.ts'
import { styled } from '../../styled.ts'
import { checkAgents } from './check-agents.ts'
import { checkFolder } from './check-folder.ts'
import { checkMachine } from './check-machine.ts'
import { checkPasskeys } from './check-passkeys.ts'
import { checkUrl } from './check-url.ts'
import { DOCTOR } from './doctor-args.ts'
import { check, type Finding } from './finding.ts'

const MARKS = { good: '✓', poor: '!', bad: '✗' } as const

/** Looks whether agents can ask here. Resolves to 1 if something does not work. */
export async function doctor(
  args: readonly string[],
  { stdout, signal }: CliIo,
): Promise<number | undefined> {
  const { values } = readCommandLine(DOCTOR, args)
  const { workdir, url, json, 'state-folder': stateFolder, policy, inbox } = values
  if (url !== undefined) refuseOthers(url)
  if ((policy === undefined) !== (inbox === undefined))
    throw usage('doctor takes --policy FILE and --inbox URL, both')
  const folder = resolve(workdir)
  const place = { workdir: folder, stateFolder }
  const inFolder = await checkFolder(place, signal)
  if (signal.aborted) return undefined
  const findings = [
    ...inFolder,
    ...(policy === undefined ? [] : await check('Passkeys', () => checkPasskeys(place, { policy, inbox }))),
    ...(await checkMachine(inFolder[0]?.state === 'bad' ? '.' : folder)),
    ...(await checkAgents()),
    ...(url === undefined ? [] : await check('Address', () => checkUrl(url, signal))),
  ]
  if (signal.aborted) return undefined
  const write = (text: string): void => void stdout.write(text)
  if (json) for (const finding of findings) write(jsonLine(finding))
  else for (const line of linesOf(findings, stdout)) write(`${line}\n`)
  return findings.some(({ state }) => state === 'bad') ? 1 : undefined
}

function refuseOthers(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol)) throw usage(`--url takes an address of the web, not ${text}`)
  if (url.username !== '' || url.password !== '')
    throw usage('--url takes an address without a name and a password')
}

function linesOf(findings: readonly Finding[], stream: CliIo['stdout']): string[] {
  const width = Math.max(...findings.map(({ about }) => about.length))
  return findings.flatMap(({ about, state, text, hint }) => [
    `${MARKS[state]} ${about.padEnd(width)}  ${printableLine(text)}`,
    ...(hint === undefined ? [] : [styled('dim', `${' '.repeat(width + 4)}${hint}`, stream)]),
  ])
}
