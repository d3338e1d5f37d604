import { chmod, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, it } from 'vitest'
import { readNoticeSettings } from '../../src/settings/settings.ts'

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const ENV = { SMTP: 'smtps://agents:p@mail.example.com', HOOK: secret }
const MAIL = { type: 'mail', server: { env: 'SMTP' }, from: 'agents@example.com' }
const WEBHOOK = { type: 'webhook', url: 'https://example.com/hook', secret: { env: 'HOOK' } }

async function settingsFile(content: unknown): Promise<string> {
  const path = join(await tempDir(), 'notices.json')
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const refusalOf = async (content: unknown): Promise<string> => {
  const path = await settingsFile(content)
  const read = readNoticeSettings(path, ENV)
  await expect(read).rejects.toMatchObject({ code: 'INVALID_FILE' })
  const error = await read.then(
    () => expect.unreachable(),
    (error: Error) => error,
  )
  return error.message.replace(path, 'FILE')
}

it('settings name people, sinks and rules, and take secrets from the environment', async () => {
  const rules = [{ for: { kinds: ['approval'] }, tell: [{ people: ['Ada'], by: ['mail'], afterMinutes: 2 }] }]
  const people = { Ada: { addresses: { mail: 'ada@example.com', hook: true, desktop: { showText: true } } } }
  const path = await settingsFile({
    people,
    rules,
    sinks: { mail: MAIL, hook: WEBHOOK, desktop: { type: 'desktop' } },
  })
  const settings = await readNoticeSettings(path, ENV)
  expect(settings).toMatchObject({ people, rules })
  expect(Object.keys(settings.sinks)).toEqual(['mail', 'hook', 'desktop'])
})

it('a secret may stand in a file that only its owner can read', async () => {
  const path = await settingsFile({
    people: {},
    sinks: { hook: { ...WEBHOOK, secret: { file: 'hook.secret' } } },
  })
  const file = join(path, '../hook.secret')
  await writeFile(file, `${secret}\n`, { mode: 0o600 })
  expect(Object.keys((await readNoticeSettings(path, {})).sinks)).toEqual(['hook'])
  await chmod(file, 0o644)
  await expect(readNoticeSettings(path, {})).rejects.toMatchObject({ code: 'UNSAFE_PATH' })
})

it('who clicks in Slack has the name and the roles of their address', async () => {
  const slack = { type: 'slack', botToken: { env: 'HOOK' }, signingSecret: { env: 'HOOK' } }
  const people = {
    Ada: { addresses: { slack: 'U1' }, roles: ['lead'] },
    Ben: { addresses: { slack: 'U2' } },
  }
  const settings = await readNoticeSettings(await settingsFile({ people, sinks: { slack } }), ENV)
  expect(await settings.slack?.authorize('U1')).toEqual({ answeredBy: 'Ada', roles: ['lead'] })
  expect(await settings.slack?.authorize('U2')).toEqual({ answeredBy: 'Ben' })
  expect(await settings.slack?.authorize('U3')).toBeNull()
})

it('a missing file is named', async () => {
  const path = join(await tempDir(), 'notices.json')
  await expect(readNoticeSettings(path, ENV)).rejects.toThrow(`There is no file ${path}`)
  await expect(readNoticeSettings(dirname(path), ENV)).rejects.toThrow(`${dirname(path)} is a folder`)
})

it.each([
  ['{', 'expected JSON'],
  [{ people: {} }, 'sinks: expected a value'],
  [{ people: {}, sinks: { fax: { type: 'fax' } } }, 'sinks.fax.type: expected a sink of the type desktop'],
  [
    { people: {}, sinks: { mail: { ...MAIL, server: 'smtp://x' } } },
    'sinks.mail.server: expected { "env": "NAME" }',
  ],
  [
    { people: {}, sinks: { mail: { ...MAIL, server: { env: 'NONE' } } } },
    'sinks.mail.server: expected a value in the variable NONE',
  ],
  [
    { people: {}, sinks: { hook: { ...WEBHOOK, url: 'http://example.com' } } },
    'sinks.hook.url: expected an address that begins with https://',
  ],
  [
    { people: { Ada: { addresses: { mail: true } } }, sinks: { mail: MAIL } },
    'people.Ada.addresses.mail: expected a mail address',
  ],
  [
    { people: { Ada: { addresses: { mail: 'a@b' } } }, sinks: {} },
    'people.Ada.addresses: expected nothing, because none is set up: add mail',
  ],
  [
    { people: {}, sinks: {}, rules: [{ for: { sandboxes: ['*far'] }, tell: [] }] },
    'rules.0.for.sandboxes.0: expected a name with * only at its end',
  ],
  [
    {
      people: {},
      sinks: { slack: { type: 'slack', botToken: { env: 'HOOK' }, apiUrl: 'http://example.com' } },
    },
    'sinks.slack.apiUrl: expected an address that begins with https://',
  ],
  [{ people: {}, rule: [], sinks: {} }, 'rule: expected no such key'],
  [{ people: { constructor: 5 }, sinks: {} }, 'people: expected other names than __proto__, constructor'],
  [
    { people: { Ada: { addresses: { constructor: true } } }, sinks: {} },
    'people.Ada.addresses: expected other',
  ],
  [{ people: {}, sinks: { constructor: 5 } }, 'sinks: expected other names'],
  [{ people: { Ada: { addresses: {}, roles: 'lead' } }, sinks: {} }, 'people.Ada.roles: expected'],
])('the settings %j are refused, and the error names the file', async (content, fault) => {
  expect(await refusalOf(content)).toMatch(/^FILE has no settings of notices: /)
  expect(await refusalOf(content)).toContain(fault)
})

it('no error shows a secret', async () => {
  const path = await settingsFile({ people: {}, sinks: { mail: MAIL, hook: WEBHOOK } })
  const wrong = { SMTP: 'ftp://agents:very-secret@mail.example.com', HOOK: 'very-secret' }
  await expect(readNoticeSettings(path, wrong)).rejects.toThrow('sinks.mail.server')
  await expect(readNoticeSettings(path, wrong)).rejects.not.toThrow('very-secret')
  await expect(readNoticeSettings(path, { ...ENV, HOOK: wrong.HOOK })).rejects.not.toThrow('very-secret')
})
