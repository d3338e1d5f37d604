import { decoded, startMailServer } from '@sandagent/fixtures/servers/mail-server.ts'
import { expect, it } from 'vitest'
import { createMailSink } from '../../src/mail/mail-sink.ts'
import { exampleNotice, patience, SECRET } from '../example-notice.ts'

/** A mail server, and a sink that sends to it. */
async function mailServer(options?: Parameters<typeof startMailServer>[0]) {
  const { mails, urlWith } = await startMailServer(options)
  const sinkFor = (password = 'p%40ss') =>
    createMailSink({ server: urlWith(password), from: 'SandAgent <agents@example.com>' })
  return { mails, sinkFor }
}

const ada = { name: 'Ada, "the Countess"', address: 'ada@example.com' }
it('a mail has a subject of our own and the link, and none of the words', async () => {
  const { mails, sinkFor } = await mailServer()
  await sinkFor().send(exampleNotice({ person: ada }), { signal: patience })
  expect(mails).toMatchObject([{ to: ['ada@example.com'] }])
  const [mail] = mails
  expect(mail?.head).toMatch(/^Subject: An agent in The shop has a question$/m)
  expect(mail?.head).toMatch(/^Content-Type: text\/plain; charset=utf-8$/m)
  expect(mail?.head).toMatch(/^Message-ID: <0123456789abcdef0123456789abcdef@notices\.sandagent>$/m)
  expect(decoded(mail?.body ?? '')).toContain('Answer here: https://inbox.example.com/answer#token=t')
  expect(mail?.raw).not.toContain(SECRET)
})

it('a mail quotes the question if its words may leave the machine', async () => {
  const { mails, sinkFor } = await mailServer()
  await sinkFor().send(exampleNotice({ person: ada, isTextAllowed: true }), { signal: patience })
  expect(decoded(mails[0]?.body ?? '')).toContain(
    `> ${SECRET} <!channel> & *now*?\r\n> Bcc: eve@example.com\r\n`,
  )
})

it('no name adds a header or a recipient to a mail', async () => {
  const { mails, sinkFor } = await mailServer()
  const person = {
    name: 'Ada\r\nBcc: eve@example.com',
    address: 'ada@example.com\r\nRCPT TO:<eve@example.com>',
  }
  const notice = exampleNotice({ person, sandboxName: 'The shop\r\nBcc: eve@example.com\r\n\r\nHello' })
  await sinkFor()
    .send(notice, { signal: patience })
    .catch(() => {})
  await sinkFor().send({ ...notice, person: { ...person, address: 'ada@example.com' } }, { signal: patience })
  expect(mails.at(-1)?.to).toEqual(['ada@example.com'])
  for (const { head, to } of mails) {
    expect(head).not.toMatch(/^Bcc/im)
    expect(to).not.toContain('eve@example.com')
  }
})

it.each([
  ['a mailbox that is unknown', 550, 'INVALID_REQUEST'],
  ['a mailbox that is busy', 450, 'UNREACHABLE'],
])('%s is a failure with the right code', async (_, responseCode, code) => {
  const { sinkFor } = await mailServer({
    onRcptTo: (_address, _session, done) => done(Object.assign(new Error('No'), { responseCode })),
  })
  await expect(sinkFor().send(exampleNotice({ person: ada }), { signal: patience })).rejects.toMatchObject({
    code,
  })
})

it('a wrong password ends the tries, and no error names a password', async () => {
  const { sinkFor } = await mailServer()
  const sending = sinkFor('wrong').send(exampleNotice({ person: ada }), { signal: patience })
  await expect(sending).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  await expect(sending).rejects.not.toThrow('wrong')
  expect(() => createMailSink({ server: 'http://agents:wrong@127.0.0.1', from: 'x' })).toThrow(
    'This is no mail server: server: expected an address such as smtps://USER:PASSWORD@mail.example.com',
  )
})

it('a person without an address ends the tries', async () => {
  const { sinkFor, mails } = await mailServer()
  const sending = sinkFor().send(exampleNotice(), { signal: patience })
  await expect(sending).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: 'Ada has no mail address. Add it to their addresses in the settings',
  })
  expect(mails).toEqual([])
})
