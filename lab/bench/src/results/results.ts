import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Curve } from '../curves/curve.ts'
import { curveSvg } from '../curves/curve-svg.ts'
import { figuresPage, type Results } from './figures-page.ts'

/** All curves of one run. */
export interface Curves {
  machine: string
  curves: Curve[]
}

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const RESULTS = 'lab/bench/results'
const PICTURES = 'docs/performance'
const FIGURES = 'docs/reference/figures.md'

/** Keeps what was measured, and writes the page with the figures. */
export function keepFigures(results: Results): void {
  keep('figures.json', results)
  writeDrawings()
}

/** Keeps what was measured again beside the rest. @throws Error if that is of another machine: the page names one. */
export function addFigures({ machine, figures }: Results): void {
  const before = kept<Results>('figures.json')
  if (before && before.machine !== machine)
    throw new Error(`The figures that are kept are of another machine (${before.machine}): measure all again`)
  keepFigures({ machine, figures: { ...before?.figures, ...figures } })
}

/** Keeps what was measured, and draws the curves. */
export function keepCurves(curves: Curves): void {
  keep('curves.json', curves)
  writeDrawings()
}

/** What is made of the results that are kept: texts by path from the repository's root. */
export function drawings(): Map<string, string> {
  const figures = kept<Results>('figures.json')
  const { machine, curves } = kept<Curves>('curves.json') ?? { machine: '', curves: [] }
  return new Map([
    ...(figures ? [[FIGURES, figuresPage(figures)] as const] : []),
    ...curves.map((curve) => [`${PICTURES}/${curve.name}.svg`, curveSvg(curve, machine)] as const),
  ])
}

/** Writes the pages and pictures again, after what makes them changed. */
export function writeDrawings(): void {
  mkdirSync(join(ROOT, PICTURES), { recursive: true })
  for (const [path, text] of drawings()) writeFileSync(join(ROOT, path), text)
}

function keep(name: string, results: object): void {
  mkdirSync(join(ROOT, RESULTS), { recursive: true })
  writeFileSync(join(ROOT, RESULTS, name), `${JSON.stringify(results, null, 2)}\n`)
}

function kept<T>(name: string): T | null {
  try {
    return JSON.parse(readFileSync(join(ROOT, RESULTS, name), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
