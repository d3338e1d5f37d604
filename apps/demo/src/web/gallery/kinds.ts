import type { Question } from '@sandagent/sdk/react'
import { APPROVAL_KINDS } from './approval-kinds.ts'
import { answered, type Kind } from './kind.ts'
import { MARKDOWN_KINDS } from './markdown-kinds.ts'
import { TYPED_KINDS } from './typed-kinds.ts'

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
  ...TYPED_KINDS,
  Files: {
    questions: [
      {
        id: 'shot',
        header: 'Screen',
        question: 'What does the page show when it fails?',
        files: { max: 3, maxBytes: 2_000_000, types: ['image/*', 'application/pdf'] },
      },
    ],
    responses: {
      shot: {
        ...answered(),
        freeText: 'A red box.',
        files: [{ name: 'failure.png', mediaType: 'image/png', size: 48_213, sha256: '0'.repeat(64) }],
      },
    },
  },
  'Files in steps': {
    questions: [
      { id: 'shot', header: 'Screen', question: 'What does the page show?', files: { max: 2 } },
      { id: 'format', header: 'Format', question: 'Which format?', options: FORMAT.options },
    ],
    responses: { shot: { ...answered(), freeText: 'A red box.' }, format: answered('PDF') },
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
  ...APPROVAL_KINDS,
}
