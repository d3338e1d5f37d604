import type { TextKind } from '@sandagent/core/internal'
import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { renderMarkdown } from '../../../src/form/markdown/markdown.tsx'
import { needsMarkdown } from '../../../src/form/markdown/needs-markdown.ts'

const html = (text: string, kind: TextKind = 'block'): string =>
  renderToStaticMarkup(renderMarkdown(text, kind))

/** The visible text of rendered Markdown. */
const textIn = (markup: string): string => {
  const box = document.createElement('div')
  box.innerHTML = markup
  return box.textContent ?? ''
}

describe('Markdown', () => {
  it.each([
    ['one *two* **three** `four`', 'one <em>two</em> <strong>three</strong> <code>four</code>'],
    ['one\ntwo\n\nthree', '<p>one\ntwo</p><p>three</p>'],
    ['- a\n- b\n  1. c', '<ul><li>a</li><li>b<ol start="1"><li>c</li></ol></li></ul>'],
    ['3. a\n\n   b\n4. c', '<ol start="3"><li><p>a</p><p>b</p></li><li>c</li></ol>'],
    ['> a', '<blockquote><p>a</p></blockquote>'],
    ['# a\n\n---', '<p><strong>a</strong></p><hr/>'],
    ['```ts\n*a*\n```', '<pre dir="ltr"><code>*a*</code></pre>'],
    ['a  \nb', 'a<br/>b'],
    [
      '|a|b|\n|-|-:|\n|`c`|d|',
      '<table><thead><tr><th scope="col">a</th><th data-align="right" scope="col">b</th></tr></thead><tbody><tr><td><code>c</code></td><td data-align="right">d</td></tr></tbody></table>',
    ],
  ])('becomes elements: %j', (text, markup) => {
    expect(html(text)).toBe(markup)
  })

  it('stays what it is where it is HTML', () => {
    for (const text of [
      '<b>x</b>',
      '<img src=x onerror=alert(1)>',
      '<!-- x -->',
      '<script>\nx\n</script>',
      '<?x?>',
    ])
      expect(textIn(html(text))).toBe(text)
    expect(html('<div>\n**x**\n</div>')).toBe('&lt;div&gt;\n<strong>x</strong>\n&lt;/div&gt;')
  })

  it('has one line where it is a label, and no links', () => {
    for (const text of ['1. Install', '- none', '# of items', '> 5', '+1', '---', '    code', '[a]: b'])
      expect(html(text, 'label')).toBe(text.trim().replace('>', '&gt;'))
    expect(html('**Look** [here](https://example.org/x)', 'label')).toBe(
      '<strong>Look</strong> here <bdi class="sa-address">(example.org)</bdi>',
    )
  })

  it('reads the usual character references, and keeps the others and those in code', () => {
    expect(textIn(html('a &amp; b &lt; c&nbsp;d &copy; &#169; &foo; &AMP; `&amp;`'))).toBe(
      'a & b < c\u00a0d © © &foo; &AMP; &amp;',
    )
    expect(html('[a&amp;b]\n\n[a&amp;b]: https://example.org/?a&amp;b')).toContain(
      'href="https://example.org/?a&amp;b"',
    )
  })
})

describe('a link', () => {
  const link = (text: string): Element | null => {
    const box = document.createElement('div')
    box.innerHTML = html(text)
    return box.querySelector('a')
  }

  it.each([
    ['[docs](https://example.org/a)', 'docs (example.org)'],
    ['<https://example.org/a>', 'https://example.org/a'],
    ['[example.org](https://example.org/)', 'example.org'],
    ['[example.org/a](https://example.org/a)', 'example.org/a'],
    ['[https://example.com](https://example.org)', 'https://example.com (example.org)'],
    ['<https://example.com@example.org/>', 'https://example.com@example.org/ (example.org)'],
    ['[https://еxample.org](https://еxample.org)', 'https://еxample.org (xn--xample-2of.org)'],
    ['[write](mailto:ada@example.org?subject=x)', 'write (ada@example.org)'],
    ['<ada@example.org>', 'ada@example.org'],
    ['[](https://example.org)', ' (example.org)'],
    ['[x][1]\n\n[1]: https://example.org:8080/', 'x (example.org:8080)'],
  ])('says where it leads: %s', (text, shown) => {
    const found = link(text)
    expect(found?.textContent).toBe(shown)
    expect(found?.getAttribute('rel')).toBe('noopener noreferrer nofollow')
    expect(found?.getAttribute('target')).toBe('_blank')
  })

  it('is text where it leads into this site, or runs something', () => {
    const { host } = location
    for (const url of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'java&Tab;script:alert(1)',
      '&#106;avascript:alert(1)',
      '\u0001javascript:alert(1)',
      'vbscript:x',
      'data:text/html,x',
      'blob:https://example.org/x',
      'file:///etc/passwd',
      'intent://x',
      '/api/logout',
      '?x',
      '#x',
      '//example.org',
      'https:example.org',
      'http:\\\\example.org',
      `http://${host}/x`,
      `HTTP://${host.toUpperCase()}/x`,
      `https://x@${host}/`,
    ])
      expect([url, link(`[x](<${url}>)`)?.outerHTML]).toEqual([url, undefined])
  })
})

const KINDS: TextKind[] = ['line', 'label', 'block', 'preview']
const signs = fc.constantFrom(
  ...'*_`[]()<>&\\|!#-+>~:;="\' \n\t',
  ...[
    'a',
    'b1',
    '1.',
    '```',
    '~~~',
    '](',
    '](https://x.org)',
    '[a]: /x',
    '<b>',
    '&amp;',
    '    ',
    'é',
    '\u202e',
    '\ufdd0',
  ],
  ...['javascript:', 'data:image/png;base64,', 'https://', '|-|', 'x@y.org'],
)
const texts = fc.array(signs, { maxLength: 60 }).map((parts) => parts.join(''))

it('any text becomes elements that are known, and links that lead to other sites', () => {
  const known = new Set(
    'p,em,strong,code,pre,ul,ol,li,table,thead,tbody,tr,th,td,blockquote,hr,br,a,bdi,img'.split(','),
  )
  fc.assert(
    fc.property(texts, fc.constantFrom(...KINDS), (text, kind) => {
      const box = document.createElement('div')
      box.innerHTML = html(text, kind)
      for (const element of box.querySelectorAll('*')) {
        expect(known).toContain(element.localName)
        for (const { name } of element.attributes)
          expect([
            'href',
            'target',
            'rel',
            'class',
            'dir',
            'start',
            'scope',
            'data-align',
            'src',
            'alt',
          ]).toContain(name)
      }
      for (const { href } of box.querySelectorAll('a')) expect(href).toMatch(/^(?:https?:\/\/|mailto:)/)
      if (kind === 'label') expect(box.querySelector('a')).toBeNull()
      expect(box.querySelector('img')).toBeNull()
    }),
    { numRuns: 1000 },
  )
})

it('a text that needs no renderer looks the same without it', () => {
  const plain = (text: string): string => text.replace(/[ \t]*\n\s*/g, '\n').trim()
  fc.assert(
    fc.property(fc.array(signs, { maxLength: 8 }), fc.constantFrom(...KINDS), (parts, kind) => {
      const text = parts.join('')
      if (needsMarkdown(text, kind)) return
      // Lines and paragraphs are apart without it, too.
      const markup = html(text, kind).replaceAll(/<\/p><p>|<br\/>/g, '\n')
      expect(markup.replaceAll(/<\/?p>/g, '')).not.toMatch(/<\w/)
      expect(plain(textIn(markup))).toBe(plain(text))
    }),
    { numRuns: 3000, examples: [[['\ufdd0', 'a', ';'], 'line']] },
  )
})

it('hundreds of nested signs become few nested elements', () => {
  const text = `${'*a **b '.repeat(200)}${'** *'.repeat(200)}`
  const box = document.createElement('div')
  box.innerHTML = html(text)
  let depth = 0
  for (let at: Element | null = box; at; at = at.lastElementChild) depth++
  expect(depth).toBeLessThan(60)
  expect(box.textContent).toContain('a')
})
