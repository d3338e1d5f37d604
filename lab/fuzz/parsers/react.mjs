// Parsers of @sandagent/react: replies of the answer API, Markdown, images and links in the texts of agents.

import { isQuickToRender } from '../../../packages/core/dist/internal.js'
import { imageSize } from '../../../packages/react/dist/form/markdown/image-size.js'
import { imageSource, takeOutImages } from '../../../packages/react/dist/form/markdown/image-source.js'
import { renderMarkdown } from '../../../packages/react/dist/form/markdown/markdown.js'
import { MarkdownLink } from '../../../packages/react/dist/form/markdown/markdown-link.js'
import { uploadsOf } from '../../../packages/react/dist/form/parts/question/files/call-uploads.js'
import { readReply } from '../../../packages/react/dist/transport/read-reply.js'
import { QUESTIONS, storeInTab } from './samples.mjs'

/** @typedef {import('../parser.mjs').Parser} Parser */

const REJECTION = { code: 'CONFLICT', message: 'm', faults: [{ path: 'a', expected: 'b' }] }
const VIEW = {
  toolCallId: 'c',
  kind: 'question',
  state: 'open',
  questions: QUESTIONS,
  responses: {},
  revision: 1,
}
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
const WEBP = 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA'

/** Texts with all marks that are read. */
export const MARKDOWN = [
  '# Which **one**?\n\nSee [here](https://example.org/a "t"), <https://a.example>, ![i](data:image/png;base64,' +
    PNG +
    ')',
  '| a | b |\n|---|:-:|\n| `1` | *2* |\n\n> quote\n> - item\n>   1. more\n\n```js\ncode\n```\n\n---\n<b>x</b> &amp; &#x41;',
  '[a]: https://example.org\n\n[a] [b][a] **_deep_** ~~no~~\\\nend',
]

/** @type {Parser[]} */
export const REACT = [
  {
    name: 'react: a reply of the answer API',
    kind: 'json',
    samples: [
      { success: true, status: 'declined', revision: 2, missingVotes: 1 },
      { success: false, error: REJECTION, question: VIEW },
      { success: false, error: 'text' },
    ],
    refuses: [
      ...[
        'INVALID_REQUEST',
        'INVALID_ANSWERS',
        'INVALID_QUESTIONS',
        'UNAUTHENTICATED',
        'LINK_INVALID',
        'LINK_EXPIRED',
      ],
      ...[
        'FORBIDDEN',
        'NOT_ALLOWED',
        'CROSS_SITE',
        'WRONG_HOST',
        'NOT_FOUND',
        'CONFLICT',
        'CHANGED',
        'GONE',
        'LINK_USED',
      ],
      ...['TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'RATE_LIMITED', 'UNREACHABLE', 'CANNOT_DECLINE'],
    ],
    read(text, random) {
      const status = random.pick([200, 200, 400, 401, 403, 404, 409, 410, 413, 415, 429, 500])
      const date = random.pick([
        '1',
        'x',
        '-1',
        '1e9',
        'Thu, 01 Jan 2026 00:00:00 GMT',
        '99999999999999999999999',
      ])
      const headers = { 'retry-after': date, date: random.pick(['', date]) }
      return readReply(
        new Response(text, { status, headers }),
        random.pick([undefined, 'declined', 'completed']),
      )
    },
  },
  {
    name: 'react: files that an earlier page lost',
    kind: 'json',
    samples: [[{ question: 'a', name: 'plan.pdf' }]],
    refuses: [],
    read(text) {
      storeInTab(text)
      const uploads = uploadsOf({ options: { endpoint: '/api' }, toolCallId: 'c' })
      for (const { id, question, name } of uploads.all())
        if (typeof `${id}${question}${name}` !== 'string') throw new Error('It is shown')
      uploads.end()
    },
  },
  {
    name: 'react: Markdown',
    kind: 'text',
    samples: MARKDOWN,
    words: [
      '**',
      '_',
      '`',
      '](',
      '![',
      '[',
      '|',
      '\n',
      '\n\n',
      '> ',
      '- ',
      '1. ',
      '    ',
      '&#',
      '&lt;',
      '<',
      '***',
      '\\',
      '[a]',
      '|-|-|\n',
      '~~~',
    ],
    refuses: [],
    read(text, random) {
      // Longer texts are shown as they are.
      return isQuickToRender(text, []) && renderMarkdown(text, random.pick(['block', 'line', 'label']))
    },
  },
  {
    name: 'react: images in a text',
    kind: 'text',
    samples: [PNG, GIF, WEBP].map(
      (data, index) => `data:image/${['png', 'gif', 'webp'][index]};base64,${data}`,
    ),
    words: ['=', '/9j/', 'AAAA', '////', '](data:image/png;base64,', 'avif', 'jpeg'],
    refuses: [],
    read(text) {
      takeOutImages(`![a](${text})`)
      imageSource(text)
    },
  },
  {
    name: 'react: the size of an image',
    kind: 'bytes',
    samples: [PNG, GIF, WEBP].map((data) => Buffer.from(data, 'base64').toString('latin1')),
    refuses: [],
    read: (bytes) => imageSize(bytes),
  },
  {
    name: 'react: the address of a link',
    kind: 'text',
    samples: ['https://example.org/a', 'mailto:ada@example.org', '/relative'],
    words: ['@', ':', '//', '[', ']', '%', '\\', 'javascript:', 'xn--', 'mailto:'],
    refuses: [],
    read: (url) => MarkdownLink({ url, text: url, isText: false, children: null }),
  },
]
