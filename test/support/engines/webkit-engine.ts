import { findCommand } from '../../../scripts/find-command.mjs'
import type { Driver, Engine } from './driver.ts'
import { type KeyAction, keyDown, keyUp, openSession } from './webdriver.ts'
import { startXvfb } from './xvfb.ts'

/** WebKitGTK in its small browser. It draws windows, so it gets a display that nobody sees. */
export const webkit: Engine = {
  name: 'WebKitGTK',
  isInstalled: findCommand('WebKitWebDriver') !== undefined && findCommand('Xvfb') !== undefined,
  async launch() {
    const display = await startXvfb()
    // A start takes seconds, so a page is used again. Tests serve on ports of their own: they share no storage.
    const opened: Driver[] = []
    const idle: Driver[] = []
    const start = async (): Promise<Driver> => {
      const page = await openPage(display.name)
      opened.push(page)
      return page
    }
    return {
      async open() {
        const page = idle.pop() ?? (await start())
        return {
          ...page,
          async close() {
            await page.goto('about:blank')
            idle.push(page)
          },
        }
      },
      async close() {
        await Promise.all(opened.map((page) => page.close()))
        await display.stop()
      },
    }
  },
}

async function openPage(DISPLAY: string): Promise<Driver> {
  const { command, close } = await openSession('WebKitWebDriver', {
    DISPLAY,
    GDK_BACKEND: 'x11',
    NO_AT_BRIDGE: '1',
    // Its own sandbox needs rights that a container does not give. The tests show it no foreign page.
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
  })
  await command('POST', 'window/rect', { x: 0, y: 0, width: 1000, height: 800 })
  const execute = (script: string, ...args: unknown[]): Promise<unknown> =>
    command('POST', 'execute/sync', { script, args })
  const mouse = (action: object): Promise<unknown> =>
    command('POST', 'actions', {
      actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions: [action] }],
    })
  const keyboard = (actions: KeyAction[]): Promise<unknown> =>
    command('POST', 'actions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
  return {
    goto: async (url) => void (await command('POST', 'url', { url })),
    reload: async () => void (await command('POST', 'refresh', {})),
    inject: async (script) => void (await execute(script)),
    run: (what, ...args) => execute(`return (${what})(...arguments)`, ...args) as Promise<never>,
    async choose(value, text) {
      const field = await command('POST', 'element', { using: 'css selector', value })
      const [id] = Object.values(field as Record<string, string>)
      await command('POST', `element/${id}/value`, { text })
    },
    moveTo: async (x, y) => void (await mouse({ type: 'pointerMove', x: Math.round(x), y: Math.round(y) })),
    mouseDown: async () => void (await mouse({ type: 'pointerDown', button: 0 })),
    mouseUp: async () => void (await mouse({ type: 'pointerUp', button: 0 })),
    type: async (text) => void (await keyboard([...text].flatMap((key) => [keyDown(key), keyUp(key)]))),
    async press(chord) {
      const keys = chord.split('+')
      await keyboard([...keys.map(keyDown), ...keys.reverse().map(keyUp)])
    },
    screenshot: async () => Buffer.from((await command('GET', 'screenshot')) as string, 'base64'),
    close,
  }
}
