// Draws the spans of one trace as an SVG: a row for each span, below the span that caused it, and its time as a bar.

/** @typedef {import('../../test/support/telemetry/collector.mjs').TracedSpan} TracedSpan */

const WIDTH = 1120
const NAMES_WIDTH = 400
const ROW = 24
const TOP = 76
const MARGIN = 20

/** What the bars mean, and their colours: dark enough to tell apart, also without colours by the names of the rows. */
const COLOURS = { person: '#d97706', page: '#7c3aed', host: '#2563eb', runner: '#0f766e' }

const LEGEND = {
  person: 'time of the person',
  page: 'page',
  host: 'host',
  runner: 'runner, in the sandbox',
}

/**
 * @param {readonly TracedSpan[]} spans
 * @returns {string}
 */
export function drawTrace(spans) {
  const rows = inTree(spans)
  const begin = Math.min(...spans.map(({ start }) => start))
  const total = Math.max(...spans.map(({ end }) => end)) - begin
  const scale = (WIDTH - NAMES_WIDTH - 2 * MARGIN - 60) / total
  const left = (/** @type {number} */ time) => MARGIN + NAMES_WIDTH + (time - begin) * scale
  const height = TOP + rows.length * ROW + MARGIN
  const seconds = Array.from({ length: Math.floor(total / 1000) + 1 }, (_, second) => second)
  const grid = seconds.map((second) => {
    const x = left(begin + second * 1000).toFixed(1)
    return `<path d="M${x} ${TOP - 10}V${height - MARGIN}" stroke="#e5e7eb"/><text x="${x}" y="${TOP - 16}" class="time" text-anchor="middle">${second} s</text>`
  })
  const bars = rows.map(({ span, depth }, index) => {
    const y = TOP + index * ROW
    const isPerson = span.name === 'sandagent.wait_for_person'
    const colour = isPerson ? COLOURS.person : COLOURS[/** @type {keyof typeof COLOURS} */ (span.service)]
    const [x, width] = [left(span.start), Math.max(2, (span.end - span.start) * scale)]
    return [
      `<text x="${MARGIN + depth * 16}" y="${y + 16}" class="name">${escaped(nameOf(span))}</text>`,
      `<text x="${MARGIN + NAMES_WIDTH - 16}" y="${y + 16}" class="service" text-anchor="end">${span.service}</text>`,
      `<rect x="${x.toFixed(1)}" y="${y + 5}" width="${width.toFixed(1)}" height="${ROW - 10}" rx="2" fill="${colour}"/>`,
      `<text x="${(x + width + 5).toFixed(1)}" y="${y + 16}" class="time">${durationOf(span)}</text>`,
    ].join('')
  })
  const stripes = rows.map((_, index) =>
    index % 2 === 0 ? `<rect y="${TOP + index * ROW}" width="${WIDTH}" height="${ROW}" fill="#f9fafb"/>` : '',
  )
  let x = MARGIN
  const legend = Object.entries(LEGEND).map(([key, words]) => {
    const text = `<rect x="${x}" y="14" width="12" height="12" rx="2" fill="${COLOURS[/** @type {keyof typeof COLOURS} */ (key)]}"/><text x="${x + 18}" y="24" class="name">${words}</text>`
    x += 18 + words.length * 7 + 24
    return text
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="One trace of a run over host, runner and page">`,
    '<style>text{font-family:system-ui,sans-serif}.name{font-size:12.5px;fill:#111827}.service{font-size:11px;fill:#4b5563}.time{font-size:11px;fill:#4b5563}</style>',
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    ...legend,
    ...stripes.filter((stripe) => stripe !== ''),
    ...grid,
    ...bars,
    '</svg>',
    '',
  ].join('\n')
}

/**
 * The spans from the top, each followed by those below it, by their start.
 *
 * @param {readonly TracedSpan[]} spans
 * @returns {{ span: TracedSpan, depth: number }[]}
 */
function inTree(spans) {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  /** @type {(parent: string | undefined, depth: number) => { span: TracedSpan, depth: number }[]} */
  const below = (parent, depth) =>
    spans
      .filter(({ parentSpanId: id }) => (id !== undefined && ids.has(id) ? id : undefined) === parent)
      .sort((a, b) => a.start - b.start)
      .flatMap((span) => [{ span, depth }, ...below(span.spanId, depth + 1)])
  return below(undefined, 0)
}

/** @param {TracedSpan} span */
const nameOf = ({ name, attributes }) =>
  attributes['sandagent.answer.status'] === 'pending' ? `${name} (draft)` : name

/** @param {TracedSpan} span */
const durationOf = ({ start, end }) =>
  end - start >= 1000 ? `${((end - start) / 1000).toFixed(2)} s` : `${Math.round(end - start)} ms`

/** @param {string} text */
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
