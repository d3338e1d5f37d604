import { answered, type Kind } from './kind.ts'

const typed = (freeText: string) => ({ ...answered(), freeText })

/** Every field for a typed answer, and what was entered into it. */
export const TYPED_KINDS: Record<string, Kind> = {
  'Numbers and dates': {
    questions: [
      {
        id: 'timeout',
        header: 'Timeout',
        question: 'After how long should a request fail?',
        typed: { kind: 'number', min: 50, max: 5000, step: 50, unit: 'ms' },
      },
      {
        id: 'share',
        header: 'Share',
        question: 'How many of the requests go to the new version?',
        typed: { kind: 'number', min: 0, max: 100, step: 5, unit: '%', show: 'slider' },
      },
      {
        id: 'draft',
        header: 'Draft',
        question: 'How good is this draft?',
        typed: { kind: 'number', min: 1, max: 5, show: 'rating' },
      },
      {
        id: 'ports',
        header: 'Ports',
        question: 'Which ports may it use?',
        typed: { kind: 'number', min: 1, max: 65535, step: 1, range: true },
        required: false,
      },
      {
        id: 'day',
        header: 'Day',
        question: 'On which day should it be released?',
        typed: { kind: 'date', earliest: '2026-01-01', latest: '2026-12-31' },
      },
      { id: 'time', header: 'Time', question: 'When is the backup made?', typed: { kind: 'time' } },
      {
        id: 'moment',
        header: 'Switch',
        question: 'When is the switch to the new database?',
        typed: { kind: 'date-time', zone: true },
      },
      {
        id: 'away',
        header: 'Away',
        question: 'When is nobody there?',
        typed: { kind: 'date', range: true },
        required: false,
      },
      {
        id: 'mail',
        header: 'Reports',
        question: 'Who gets the reports?',
        typed: { kind: 'email' },
        placeholder: 'team@example.org',
      },
      { id: 'page', header: 'Page', question: 'Where is the documentation?', typed: { kind: 'uri' } },
    ],
    responses: {
      timeout: typed('250'),
      share: typed('30'),
      draft: typed('4'),
      ports: { skipped: true },
      day: typed('2026-03-01'),
      time: typed('03:30'),
      moment: typed('2026-03-01T14:30+00:00'),
      away: typed('2026-07-01/2026-07-14'),
      mail: typed('team@example.org'),
      page: typed('https://example.org/docs'),
    },
    props: { layout: 'all' },
  },
}
