import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { chromiumPath, sharedChromium } from '../support/browser/chromium.ts'

const FILL = 'style="position: fixed; inset: 0"'

/** What an agent may write to have its server told that somebody looks, or to show a page of its own in the form. */
const hostile: Record<string, (server: string) => string> = {
  'a link': (server) => `<a ${FILL} href="${server}">Click</a>`,
  'a link out of the frame': (server) => `<a ${FILL} target="_top" href="${server}">Click</a>`,
  'a link in a picture': (server) =>
    `<svg ${FILL}><a xlink:href="${server}"><rect width="2000" height="2000"/></a></svg>`,
  'a link that a picture sets': (server) =>
    `<svg ${FILL}><a><set attributeName="href" to="${server}"/><rect width="2000" height="2000"/></a></svg>`,
  'a link in a template': (server) =>
    `<div><template shadowrootmode="open"><a ${FILL} href="${server}">Click</a></template></div>`,
  'a link that shows when it is read twice': (server) =>
    `<math><mtext><table><mglyph><style><!--</style><a title="--&gt;</style><a ${FILL} href='${server}'>Click</a>">`,
  'a link in a comment of another kind': (server) =>
    `<svg><title><style><a title="</style></title></svg><a ${FILL} href='${server}'>Click</a>">`,
  'a place that links start from': (server) => `<base href="${server}"><a ${FILL} href="#x">Click</a>`,
  'frames and objects': (server) =>
    `<iframe src="${server}"></iframe><object data="${server}"></object><embed src="${server}">`,
  'what is loaded ahead': (server) =>
    ['preconnect', 'dns-prefetch', 'prefetch', 'preload', 'icon', 'stylesheet', 'manifest']
      .map((rel) => `<link rel="${rel}" as="image" href="${server}">`)
      .join(''),
  'another page after a while': (server) => `<meta http-equiv="refresh" content="0; url=${server}">`,
  'a policy of its own': (server) =>
    `<meta http-equiv="Content-Security-Policy" content="img-src *"><img src="${server}">`,
  'styles, pictures and films': (server) =>
    `<style>@import url(${server}); p { background: url(${server}) }</style><p><img src="${server}"><video src="${server}" poster="${server}">`,
  'a form': (server) => `<form action="${server}"><button ${FILL}>Click</button></form>`,
}

describe.skipIf(chromiumPath === undefined)('an HTML preview', () => {
  const browser = sharedChromium()

  /** A page with the function that makes previews, which it puts into a frame as the form does. */
  async function pageWith(html: string): Promise<Page> {
    const page = await browser().newPage()
    onTestFinished(() => page.close())
    const module = await readFile(join(root, 'packages/react/dist/form/previews/framed-html.js'), 'utf8')
    // What the form needs around the function has a file of its own.
    const code = module.replace(/^import .*\n/gm, '')
    const needed = 'const trust = (html) => html, allowsInlineStyles = () => true'
    const show = `const frame = Object.assign(document.createElement('iframe'), { sandbox: '', id: 'frame' })
      frame.style = 'position: fixed; inset: 0; width: 100%; height: 100%; border: 0'
      fillFrame(frame, ${JSON.stringify(html)})
      frame.srcdoc += '<p>The end</p>'
      document.body.append(frame)`
    await page.addScriptTag({ type: 'module', content: `${needed}\n${code}\n${show}` })
    await page.frameLocator('iframe').getByText('The end').waitFor({ state: 'attached' })
    return page
  }

  it.each(Object.keys(hostile))('reaches nobody, whatever a person clicks: %s', async (kind) => {
    const asked: (string | undefined)[] = []
    const server = createServer((socket) => {
      asked.push('a connection')
      socket
        .on('error', () => {})
        .once('data', (data) => {
          asked[asked.lastIndexOf('a connection')] = String(data).split(' ')[1]
          socket.end('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\nHello')
        })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

    const page = await pageWith(hostile[kind]?.(`${url}/taken`) ?? '')
    for (const x of [10, 200]) await page.mouse.click(x, 10)
    expect(asked).toEqual([])
    // Whatever a click began is there by now.
    const control = await browser().newPage()
    onTestFinished(() => control.close())
    await control.goto(`${url}/control`)
    expect(asked).toContain('/control')
    expect(asked).not.toContain('/taken')
    expect(page.frames().map((frame) => frame.url())).toEqual(['about:blank', 'about:srcdoc'])
  })

  it('keeps its looks, and drawings that take parts from themselves', async () => {
    const page = await pageWith(
      '<style>p { color: red }</style><body class="a"><p style="margin: 0"><svg><g id="b"></g><use href="#b"></use></svg><img src="data:,x">',
    )
    expect(await page.locator('iframe').getAttribute('srcdoc')).toMatch(
      /^<meta [^>]*><html><head><style>p \{ color: red \}<\/style><\/head><body class="a"><p style="margin: 0"><svg><g id="b"><\/g><use href="#b"><\/use><\/svg><img src="data:,x"><\/p><\/body><\/html>/,
    )
  })
})
