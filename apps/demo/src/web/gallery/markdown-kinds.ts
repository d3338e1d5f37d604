import type { Kind } from './kind.ts'

const MENU_ABOVE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAKAAAABgCAMAAACt+YmrAAAADFBMVEX///81UNTY3fCIjJb+kstDAAAArElEQVR42u3awQ2EMAxFQcj23/O2AMQ/wWKmgndAtmJxnC93CBQoUKBAgQIFCowGAsBX/CaMerWBgU5fDNBqUAdmdWRQV3amAss6w4HznWsCJzoNBaDbLq6e1UsH9ZPO1YG3OzcFXu8sCxwhhgLQYRePoMpN8vrASGduF/e4LMx3GgpA53dxi0E927nw2dnjsnC7c9vD3S4Gvnajfjqrd15YVwb2uCz4dwsg6A9XMzBrS/6SWQAAAABJRU5ErkJggg=='
const MENU_BESIDE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAKAAAABgCAMAAACt+YmrAAAADFBMVEX///81UNTY3fCIjJb+kstDAAAAyklEQVR42u3aMRLCMAwEwCD+/2daCvDEwNi6sHrBToqTLOW4nahjZwECAgICAgI+A++/rBpUC+DI2Qn40rkKWJ/W4i+4DihmAAEBO/fixkE972zQi9sDx85204xeDAgIeMVeXF/UyqBOeNXNO/e1uoBx65RTzAACAv7DjnqUhr0eTXuAVRnTTMaOet4pZgABAa/ZizN21KecLu4u7mIGEBAwohdXyI89GTtqF/eMi7uYAQQEzNpRv0/Dbo+mPUAX98SLu5gBBAScrAfyrDNqsTcDQAAAAABJRU5ErkJggg=='

/** Questions that are written in Markdown. */
export const MARKDOWN_KINDS: Record<string, Kind> = {
  Markdown: {
    questions: [
      {
        id: 'store',
        header: 'Store',
        question: [
          'Where should `sessions` be kept?',
          '',
          'The tests need **about 40 ms** for each sign-in. Two calls take &gt; 90 % of it:',
          '',
          '1. `readSession()` reads a file,',
          '2. `signCookie()` signs with *RSA*.',
          '',
          '| store | read | lost on restart |',
          '|---|--:|---|',
          '| file | 31 ms | no |',
          '| Redis | 2 ms | no |',
          '| memory | 0 ms | yes |',
          '',
          '```ts',
          'const store = createStore({ kind: "redis", url })',
          '```',
          '',
          'See [the measurements](https://example.org/measurements?run=7).',
        ].join('\n'),
        options: [
          {
            label: '`redis` (Recommended)',
            description: 'Fast, and it is **already there**: [how it is set up](https://example.net/redis).',
          },
          { label: 'A file', description: 'Nothing to set up.\n\n- slow\n- one host only' },
          { label: 'Memory', description: 'Sessions end with the process.' },
        ],
      },
    ],
    responses: { store: { selected: ['`redis` (Recommended)'], source: 'human' } },
  },
  'A long question': {
    questions: [
      {
        id: 'plan',
        header: 'Plan',
        question: `Shall I go on with this plan?\n\n${Array.from({ length: 30 }, (_, n) => `${n + 1}. Move \`module-${n + 1}\` and its tests.`).join('\n')}\n\nThe [rules](https://example.org/rules) allow that.`,
        options: [{ label: 'Go on', recommended: true }, { label: 'Only the first ten' }],
      },
      {
        id: 'verbatim',
        question: 'Is this line **right**?\nPATTERN=*_backup_*.[0-9]',
        textFormat: 'plain',
        options: [{ label: '_yes_' }, { label: '*no*' }],
      },
    ],
    responses: {
      plan: { selected: ['Go on'], source: 'human' },
      verbatim: { selected: ['_yes_'], source: 'human' },
    },
    props: { layout: 'all' },
  },
  'Previews with images': {
    questions: [
      {
        id: 'menu',
        header: 'Menu',
        question: 'Which of these layouts?',
        options: [
          { label: 'Menu above', preview: `![A bar above the text](${MENU_ABOVE})` },
          { label: 'Menu beside', recommended: true, preview: `![A bar beside the text](${MENU_BESIDE})` },
          { label: 'As it is', preview: '![What stands now](https://example.org/now.png)' },
        ],
      },
    ],
    responses: { menu: { selected: ['Menu beside'], source: 'human' } },
  },
}
