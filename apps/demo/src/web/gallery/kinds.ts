import type { Question, Responses } from '@sandagent/sdk/react'
import type { Kind } from './kind.ts'
import { MARKDOWN_KINDS } from './markdown-kinds.ts'

const answered = (...selected: string[]): Responses[string] => ({ selected, source: 'human' })

const mockup = (menu: string): string =>
  `\`\`\`text\n┌──────────────────────┐\n│ ${menu.padEnd(20)} │\n│                      │\n│  Hello, world!       │\n└──────────────────────┘\n\`\`\``

const FORMAT: Question = {
  id: 'format',
  header: 'Format',
  question: 'Which format should the report have?',
  options: [
    { label: 'HTML', description: 'One file that opens in any browser.' },
    { label: 'PDF', description: 'Fixed pages, made for print.' },
    { label: 'Markdown', description: 'Plain text for the repository.' },
  ],
}

const SECTIONS: Question = {
  id: 'sections',
  header: 'Sections',
  question: 'What should it cover?',
  multiSelect: true,
  options: [
    { label: 'Summary', description: 'Half a page, for those in a hurry.' },
    { label: 'Figures, with their sources', description: 'Every number and where it comes from.' },
    { label: 'Open points' },
  ],
}

const AUDIENCE: Question = {
  id: 'audience',
  header: 'Readers',
  question: 'Who reads it, and what do they know already?',
  placeholder: 'The team that runs the service',
  required: false,
}

const WORDS = 'Donaudampfschifffahrtsgesellschaftskapitaensmuetzenabzeichen'
/** A text with a character that reverses the following text. */
const TURNED = `${WORDS} \u202ednuora denrut`

/** Every kind of question that the form knows. */
export const KINDS: Record<string, Kind> = {
  'Single choice': {
    questions: [FORMAT],
    responses: { format: answered('PDF') },
    props: { notify: true },
  },
  'Multiple choice': {
    questions: [SECTIONS],
    responses: {
      sections: {
        ...answered('Summary', 'Open points'),
        freeText: 'A list of terms',
        notes: 'Short, please',
      },
    },
  },
  'Typed answer': {
    questions: [{ ...AUDIENCE, required: true }],
    responses: { audience: { ...answered(), freeText: 'People who are new here.\nThey know the product.' } },
  },
  'Several questions': {
    questions: [FORMAT, SECTIONS, AUDIENCE],
    responses: { format: answered('HTML'), sections: answered('Summary'), audience: { skipped: true } },
  },
  'All at once': {
    questions: [FORMAT, SECTIONS, AUDIENCE],
    responses: { format: answered('HTML'), sections: answered('Open points') },
    props: { layout: 'all' },
  },
  'Many questions': {
    questions: Array.from({ length: 20 }, (_, n) => ({
      ...(n % 3 === 0 ? SECTIONS : n % 3 === 1 ? AUDIENCE : FORMAT),
      id: `q${n + 1}`,
      header: ['Sections', 'Readers', 'Format'][n % 3] ?? '',
    })),
    responses: { q1: answered('Summary'), q2: { skipped: true }, q3: answered('HTML') },
  },
  Previews: {
    questions: [
      {
        id: 'layout',
        header: 'Layout',
        question: 'Where should the menu be?',
        options: [
          { label: 'At the top', description: 'Always in sight.', preview: mockup('File  Edit  View') },
          { label: 'Behind a button', description: 'More room for the page.', preview: mockup('☰') },
          {
            label: 'No menu',
            preview: `| key | does |\n|---|---|\n| Ctrl K | opens **everything** |\n\n${'A preview of ten thousand characters stays usable. '.repeat(200)}`,
          },
        ],
      },
    ],
    responses: { layout: answered('Behind a button') },
  },
  ...MARKDOWN_KINDS,
  'HTML previews': {
    questions: [
      {
        id: 'colours',
        header: 'Colours',
        question: 'Which of these looks right?',
        allowFreeText: false,
        options: [
          { label: 'Calm', preview: '<h1 style="font: 600 2rem system-ui; color: #335">Hello, world!</h1>' },
          { label: 'Loud', preview: '<h1 style="font: 900 3rem system-ui; color: #c03">Hello, world!</h1>' },
        ],
      },
    ],
    responses: { colours: answered('Calm') },
    props: { previewFormat: 'html' },
  },
  'Fifty options': {
    questions: [
      {
        id: 'file',
        header: 'File',
        question: 'Which file is the one that fails?',
        options: Array.from({ length: 50 }, (_, n) => ({ label: `src/module-${n + 1}/index.ts` })),
      },
    ],
    responses: { file: answered('src/module-7/index.ts') },
  },
  'Long texts': {
    questions: [
      {
        id: 'long',
        header: TURNED,
        question: `${WORDS}?\n\nThe lines of a question are kept,\nand so is what stands below them.`,
        options: [
          { label: TURNED, description: `${WORDS} and ${TURNED}` },
          { label: 'Send answer', description: 'An option that is called like a button is still an option.' },
          { label: 'Or a whole sentence that goes on, because agents like to explain what they mean by it.' },
        ],
      },
    ],
    responses: { long: { ...answered(TURNED), notes: TURNED } },
  },
  'Right to left': {
    questions: [
      {
        id: 'lang',
        header: 'اللغة',
        question: 'بأي لغة أكتب التقرير؟',
        options: [
          { label: 'العربية', description: 'مع أسماء الملفات مثل README.md كما هي.' },
          { label: 'English', description: 'Left to right, in a page that is right to left.' },
        ],
      },
      { id: 'name', header: 'الاسم', question: 'ما اسم المشروع؟' },
    ],
    responses: { lang: answered('العربية'), name: { ...answered(), freeText: 'مشروع' } },
    dir: 'rtl',
  },
  Permission: {
    questions: [
      {
        id: 'permission',
        question: 'May the agent use Bash?',
        allowFreeText: false,
        options: [
          { value: 'allow-once', label: 'Allow once' },
          {
            value: 'allow-session',
            label: 'Allow for this session',
            description: 'Until the session ends, without asking: allow Bash(git push *)',
          },
          { value: 'deny', label: 'Deny', description: 'A note tells the agent why.' },
        ],
      },
    ],
    responses: { permission: { ...answered('deny'), notes: 'Not on a Friday' } },
    subject: {
      toolName: 'Bash',
      input: {
        command:
          'git add --all &&\n  git commit --message "Release" &&\n  git push origin main # \u202eyltsenoh',
        description: 'Publish the release',
        timeout: 60_000,
      },
      reasons: [
        { by: 'rule', text: 'A rule of projectSettings says to ask for "Bash(git push:*)"' },
        { by: 'agent', text: 'Publish the release' },
      ],
    },
  },
  'Permission for an edit': {
    questions: [
      {
        id: 'permission',
        question: 'May the agent use Edit?',
        allowFreeText: false,
        options: [
          { value: 'allow-once', label: 'Allow once' },
          { value: 'deny', label: 'Deny', description: 'A note tells the agent why.' },
        ],
      },
    ],
    responses: { permission: answered('allow-once') },
    subject: {
      toolName: 'Edit',
      input: {
        file_path: '../shop/src/price.ts',
        old_string: 'export function price(net: number) {\n  return net * 1.19\n}',
        new_string: 'const RATE = 1.19\n\nexport function price(net: number) {\n  return net * RATE\n}',
        replace_all: false,
      },
    },
  },
  'Call to edit': {
    questions: [
      {
        id: 'permission',
        question: 'May the agent use deploy?',
        allowFreeText: false,
        options: [
          { value: 'allow-once', label: 'Allow once' },
          { value: 'deny', label: 'Deny', description: 'A note tells the agent why.' },
        ],
      },
    ],
    responses: {
      permission: {
        ...answered('allow-once'),
        input: {
          target: 'staging',
          script: 'npm ci\nnpm run build\nnpm run deploy',
          retries: 3,
          force: false,
        },
      },
    },
    subject: {
      toolName: 'deploy',
      input: { target: 'production', script: 'npm ci\nnpm run deploy', retries: 3, force: true },
      editable: true,
      schema: {
        type: 'object',
        properties: {
          target: { enum: ['staging', 'production'], description: 'Where to' },
          script: { type: 'string' },
          retries: { type: 'integer', minimum: 0, maximum: 5 },
          force: { type: 'boolean' },
          hosts: { type: 'array', items: { type: 'string' } },
        },
        required: ['target', 'script', 'retries'],
      },
    },
  },
  'Permission for more': {
    questions: [
      {
        id: 'permission',
        question: 'May the agent use Bash?',
        allowFreeText: false,
        options: [
          { value: 'allow-once', label: 'Allow once' },
          { value: 'deny', label: 'Deny', description: 'A note tells the agent why.' },
        ],
      },
    ],
    responses: { permission: answered('allow-once') },
    subject: { toolName: 'Bash', input: { command: 'node build.js --watch' } },
    grants: {
      asksAgain: 'The permission for every command that starts with `node` ended 5 min ago.',
      scopes: [
        'Exactly the command `node build.js --watch`, until this run ends.',
        'Every command that starts with `node build.js`, until this run ends. `node` can run any code.',
        'Every command that starts with `node`, for 10 minutes. `node` can run any code.',
        'Every command that starts with `node`, until this run ends. `node` can run any code.',
        'Exactly the command `node build.js --watch`, in this folder, until somebody takes it back.',
      ].map((covers, index) => ({ id: `${index}`, covers })),
    },
  },
}
