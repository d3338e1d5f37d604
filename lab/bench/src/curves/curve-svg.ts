import type { Curve, Line } from './curve.ts'

const WIDTH = 640
const HEIGHT = 360
/** What is left of the picture for the lines. */
const PLOT = { left: 84, right: 600, top: 76, bottom: 312 }
const COLORS = ['#3b82f6', '#e08a2e', '#3fa36c', '#a86fd0']

const STYLE = `
    .ground { fill: #fff }
    text { fill: #14202e; font: 13px system-ui, sans-serif }
    .title { font-size: 16px; font-weight: 600 }
    .grid { stroke: #d5dce6 }
    @media (prefers-color-scheme: dark) {
      .ground { fill: #171c24 }
      text { fill: #e6ebf2 }
      .grid { stroke: #38424f }
    }
  `

/** Draws a curve, readable on light and dark pages. */
export function curveSvg({ title, unit, lines }: Curve, machine: string): string {
  const points = lines.flatMap((line) => line.points)
  const x = axis(
    points.map(([questions]) => questions),
    [PLOT.left, PLOT.right],
  )
  const y = axis(
    points.map(([, figure]) => figure),
    [PLOT.bottom, PLOT.top],
  )
  const parts = [
    `<title>${title}, ${unit}: ${lines.map(inWords).join('; ')}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="ground" width="${WIDTH}" height="${HEIGHT}" rx="10"/>`,
    `<text class="title" x="20" y="30">${title}, ${unit}</text>`,
    ...lines.map(
      ({ name }, n) =>
        `<circle cx="${26 + n * 200}" cy="50" r="5" fill="${COLORS[n]}"/><text x="${38 + n * 200}" y="54">${name}</text>`,
    ),
    ...y.ticks.map((figure) => {
      const at = y.place(figure)
      return `<path class="grid" d="M${PLOT.left} ${at}H${PLOT.right}"/><text x="${PLOT.left - 8}" y="${at + 4}" text-anchor="end">${label(figure)}</text>`
    }),
    ...x.ticks.map(
      (questions) =>
        `<text x="${x.place(questions)}" y="${PLOT.bottom + 22}" text-anchor="middle">${label(questions)}</text>`,
    ),
    `<text x="${PLOT.right}" y="${HEIGHT - 8}" text-anchor="end">questions</text>`,
    `<text x="20" y="${HEIGHT - 8}" font-size="11">${machine}</text>`,
    ...lines.map((line, n) => drawing(line, COLORS[n] as string, x.place, y.place)),
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">\n  ${parts.join('\n  ')}\n</svg>\n`
}

type Place = (value: number) => number

/** A logarithmic axis over whole powers of ten. */
function axis(
  values: readonly number[],
  [from, to]: readonly [number, number],
): { ticks: number[]; place: Place } {
  const least = Math.floor(Math.log10(Math.min(...values)))
  const most = Math.max(Math.ceil(Math.log10(Math.max(...values))), least + 1)
  return {
    ticks: Array.from({ length: most - least + 1 }, (_, n) => 10 ** (least + n)),
    place: (value) => Math.round(from + ((Math.log10(value) - least) / (most - least)) * (to - from)),
  }
}

function drawing({ points }: Line, color: string, x: Place, y: Place): string {
  const places = points.map(([questions, figure]) => `${x(questions)} ${y(figure)}`)
  const dots = points.map(
    ([questions, figure]) => `<circle cx="${x(questions)}" cy="${y(figure)}" r="4" fill="${color}"/>`,
  )
  return `<path d="M${places.join('L')}" fill="none" stroke="${color}" stroke-width="2.5"/>${dots.join('')}`
}

/** For those who do not see the picture. */
const inWords = ({ name, points }: Line): string =>
  `${name}: ${points.map(([questions, figure]) => `${label(questions)} questions ${label(figure)}`).join(', ')}`

const label = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 3 })
