import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { picked } from '@sandagent/fixtures/questions.ts'
import { type PushedBrowser, startPushService } from '@sandagent/fixtures/servers/push-service.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { submitAnswer } from '@sandagent/sdk'
import { openRecord } from '@sandagent/testing'
import { press } from '@sandagent/testing/playwright'
import type { Page, Worker } from 'playwright-core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { chromiumPath, wholeChromium } from '../support/browser/chromium.ts'
import { openInbox } from '../support/browser/strict-page.ts'
import { startInbox } from '../support/servers/inbox-server.ts'
import { createWorkspace, type Workspace } from '../support/workspace.ts'

/**
 * Chromium has no push service without keys of its maker. So the page gets a subscription of the stand-in, and DevTools hand
 * over what the stand-in has decrypted. The worker, its notifications and its answers are Chromium's own.
 */
function giveSubscription({ endpoint, keys }: PushedBrowser['subscription']): void {
  let current: PushSubscription | null = null
  PushManager.prototype.getSubscription = async () => current
  PushManager.prototype.subscribe = async (options) => {
    const unsubscribe = async (): Promise<boolean> => {
      current = null
      return true
    }
    current = {
      endpoint,
      options,
      unsubscribe,
      toJSON: () => ({ endpoint, keys }),
    } as unknown as PushSubscription
    return current
  }
}

/** Hands messages to the service worker of a page's origin, as a push service does. */
async function deliverer(page: Page): Promise<(data: string) => Promise<void>> {
  const { origin } = new URL(page.url())
  const devTools = await page.context().newCDPSession(page)
  const registrationId = new Promise<string>((resolve) => {
    devTools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL === `${origin}/`)
      if (own) resolve(own.registrationId)
    })
  })
  await devTools.send('ServiceWorker.enable')
  return async (data) => {
    await devTools.send('ServiceWorker.deliverPushMessage', {
      origin,
      registrationId: await registrationId,
      data,
    })
  }
}

/** What the functions of this file have that run in the worker. */
declare const self: WorkerScope

interface WorkerScope extends EventTarget {
  registration: ServiceWorkerRegistration
  clients: { matchAll(options: object): Promise<{ focused: boolean; url: string }[]> }
  NotificationEvent: new (type: string, facts: object) => Event
  WindowClient: { prototype: { focus(): Promise<unknown> } }
}

/** What the worker shows. */
const shownBy = (worker: Worker) =>
  worker.evaluate(async () => {
    const shown = await self.registration.getNotifications()
    return shown.map((notification) => {
      const { title, body, silent, actions } = notification as Notification & {
        actions: { title: string }[]
      }
      return { title, body, silent, actions: actions.map((each) => each.title) }
    })
  })

/** The addresses of the pages that have the focus, as the worker sees them. */
const looking = (worker: Worker) =>
  worker.evaluate(async () => {
    const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
    return windows.flatMap(({ focused, url }) => (focused ? [url] : []))
  })

/**
 * Clicks a notification or one of its buttons. DevTools cannot: the worker gets the event that such a click makes. It may focus
 * no window then, so that step is left out.
 */
const click = (worker: Worker, title: string, action = '') =>
  worker.evaluate(
    async ([title, action]) => {
      self.WindowClient.prototype.focus = async () => {}
      const shown = await self.registration.getNotifications()
      const notification = shown.find((each) => each.title === title)
      if (!notification) throw new Error(`There is no notification ${title}`)
      const event = new self.NotificationEvent('notificationclick', { notification, action })
      const work: Promise<unknown>[] = []
      // Events of scripts keep no worker alive.
      Object.defineProperty(event, 'waitUntil', { value: (promise: Promise<unknown>) => work.push(promise) })
      self.dispatchEvent(event)
      await Promise.all(work)
    },
    [title, action] as const,
  )

/** Asks something that has waited long enough for a notice. */
const ask = ({ channel }: Workspace, toolCallId: string): Promise<unknown> =>
  channel.open(openRecord(toolCallId, { askedAt: '2026-01-01T00:00:00.000Z' }))

describe.skipIf(!chromiumPath)('notices in a browser', () => {
  const browser = wholeChromium()

  /** An inbox in a browser that may show notifications, and the push service of that browser. */
  async function subscribed(...args: string[]) {
    const workspace = await createWorkspace()
    const { workdir } = workspace.sandbox
    const server = await startInbox(['--workdir', workdir, '--name', 'Ada', ...args], {
      env: { XDG_CONFIG_HOME: await tempDir(), SANDAGENT_PUSH_LOOPBACK: '1' },
    })
    const pushed = (await startPushService()).subscribe()
    const context = await browser().newContext()
    onTestFinished(() => context.close())
    await context.grantPermissions(['notifications'], { origin: server.origin })
    await context.addInitScript(giveSubscription, pushed.subscription)
    const page = await openInbox(context, server.link)
    await page.evaluate(() => navigator.serviceWorker.ready)
    const deliver = await deliverer(page)
    const [worker] = context.serviceWorkers()
    if (!worker) throw new Error('The page has no service worker')
    const message = (count: number) =>
      vi.waitFor(() => {
        expect(pushed.messages).toHaveLength(count)
        return pushed.messages[count - 1]?.text ?? ''
      })
    return { workspace, workdir, server, context, page, worker, deliver, pushed, message }
  }

  it('tell of a question, and a button answers it with the roles of serve', async () => {
    const policy = join(await tempDir(), 'policy.json')
    await writeFile(policy, JSON.stringify([{ roles: ['lead'] }]))
    const { workspace, workdir, page, worker, deliver, message } = await subscribed(
      ...['--policy', policy, '--role', 'lead'],
    )
    await press(page.getByRole('button', { name: 'Settings' }))
    await press(page.getByLabel('Show the words of questions'))
    await press(page.getByRole('button', { name: 'Turn notices on' }))
    await page.getByText('This browser tells you about questions').waitFor()
    await page.goto('about:blank')
    // Who looks at the inbox needs no notice. A page that was just left may still count as looking.
    await vi.waitFor(async () => expect(await looking(worker)).toEqual([]))
    await ask(workspace, 'toolu_1')
    await deliver(await message(1))
    const title = `An agent in ${basename(workdir)} has a question`
    await vi.waitFor(async () =>
      expect(await shownBy(worker)).toMatchObject([{ title, body: 'Which language?', actions: ['A', 'B'] }]),
    )
    await click(worker, title, '1')
    const answer = await readFile(join(workdir, '.sandagent/approvals/toolu_1.json'), 'utf8')
    expect(JSON.parse(answer)).toMatchObject({ answeredBy: 'Ada', responses: { q1: { selected: ['B'] } } })
    expect(await shownBy(worker)).toMatchObject([{ title: 'Answered: B' }])
  })

  it('say only where a question waits, open it, and go when it has its answer', async () => {
    const { workspace, workdir, server, context, page, worker, deliver, message } = await subscribed()
    await press(page.getByRole('button', { name: 'Settings' }))
    await press(page.getByRole('button', { name: 'Turn notices on' }))
    await page.getByText('This browser tells you about questions').waitFor()
    await ask(workspace, 'toolu_1')
    const first = await message(1)
    // Who looks at the inbox needs no notice.
    await page.bringToFront()
    await deliver(first)
    await page.goto('about:blank')
    const title = `An agent in ${basename(workdir)} has a question`
    /** A page that was just left may still count as looking. */
    const isTold = () =>
      vi.waitFor(async () => {
        await deliver(first)
        expect(await shownBy(worker)).toEqual([{ title, body: '', silent: false, actions: [] }])
      })
    await isTold()

    const inbox = await context.newPage()
    await inbox.goto(server.origin)
    await click(worker, title)
    await inbox.locator('.sa-ask', { hasText: 'Which language?' }).waitFor()
    expect(await shownBy(worker)).toEqual([])
    await inbox.close()

    await isTold()
    const answer = { toolCallId: 'toolu_1', responses: { q1: picked('A') }, status: 'completed' } as const
    await submitAnswer(workspace.sandbox, answer, { answeredBy: 'Bo' })
    await deliver(await message(2))
    // Browsers want something to be seen after each push.
    await vi.waitFor(async () =>
      expect(await shownBy(worker)).toMatchObject([{ title: 'Answered by Bo', silent: true }]),
    )
  })
})
